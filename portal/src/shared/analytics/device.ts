import { type LoggerKey, renewLoggerKey } from '@pointgate/contract/analytics.ts';
import { call } from '../api/client.ts';
import { fieldsOf, keep, readKept } from '../browser/kept.ts';

const keyName = 'pointgate.device';

/**
 * The device id and signing key of this browser. Without stored values, the random ones that the
 * server wrote into the page are stored.
 */
export function deviceKey(pageKey: LoggerKey): LoggerKey {
  const known = readDevice();
  if (known !== null) return known;
  keep('localStorage', keyName, pageKey);
  return pageKey;
}

/** Requests the current signing key of the device; `null` if the request fails. */
export async function renewKey({ did }: LoggerKey): Promise<LoggerKey | null> {
  try {
    const renewed = await call(renewLoggerKey, { did });
    keep('localStorage', keyName, renewed);
    return renewed;
  } catch {
    return null;
  }
}

function readDevice(): LoggerKey | null {
  const { did, kid, key } = fieldsOf(readKept('localStorage', keyName));
  const isWhole = isText(did, /^[\da-f-]{36}$/) && isText(kid, /^[\w-]+$/);
  return isWhole && isText(key, /^[\da-f]{64}$/) ? { did, kid, key } : null;
}

function isText(value: unknown, pattern: RegExp): value is string {
  return typeof value === 'string' && pattern.test(value);
}
