import { type LoggerKey, renewLoggerKey } from '@pointgate/contract/analytics.ts';
import { call } from '../api/client.ts';
import { fieldsOf, keep, readKept } from '../session/kept.ts';

const keyName = 'pointgate.device';

/**
 * The id of this browser and its key. A browser that has none takes those that came with the page,
 * made at random by the server, and keeps them.
 */
export function deviceKey(pageKey: LoggerKey): LoggerKey {
  const known = readDevice();
  if (known !== null) return known;
  keep('localStorage', keyName, pageKey);
  return pageKey;
}

/** The same device with a key of today, or `null` where there is none to be had now. */
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
