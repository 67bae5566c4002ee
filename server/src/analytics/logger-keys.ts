import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { type LoggerKey, signedText } from '@pointgate/contract/analytics.ts';

/** A master key, from which device keys are derived when needed; they are not stored. */
export interface MasterKey {
  id: string;
  key: Buffer;
}

interface Device {
  siteId: string;
  did: string;
}

/** The current key of a device, derived from the first master key. */
export function currentKey(masters: readonly MasterKey[], device: Device): LoggerKey | undefined {
  const [master] = masters;
  if (master === undefined) return undefined;
  const key = deviceKey(master, device).toString('hex');
  return { kid: master.id, did: device.did, key };
}

/** Bound to a site and a device, so that a signature is not valid for another one. */
function deviceKey({ id, key }: MasterKey, { siteId, did }: Device): Buffer {
  const purpose = `pointgate logger\n${siteId}\n${did}\n${id}`;
  return Buffer.from(hkdfSync('sha256', key, Buffer.alloc(0), purpose, 32));
}

export function verify(
  masters: readonly MasterKey[],
  signed: Device & { kid: string; sentAt: number; body: string; sig: string },
): 'ok' | 'wrong_key' | 'wrong_signature' {
  const master = masters.find(({ id }) => id === signed.kid);
  if (master === undefined) return 'wrong_key';
  const expected = createHmac('sha256', deviceKey(master, signed))
    .update(signedText(signed))
    .digest();
  const sent = Buffer.from(signed.sig, 'hex');
  const isSame = sent.length === expected.length && timingSafeEqual(sent, expected);
  return isSame ? 'ok' : 'wrong_signature';
}
