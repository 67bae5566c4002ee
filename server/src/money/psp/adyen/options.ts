export interface AdyenOptions {
  apiKey: string;
  merchantAccount: string;
  environment: 'test' | 'live';
  /** The part of the live address that is this merchant's own. */
  liveUrlPrefix?: string | undefined;
  /** What messages are signed with, in hex. Two while a key is being rotated. */
  hmacKeys: readonly string[];
  /** Another address than Adyen's own, for the sandbox. */
  apiBase?: string | undefined;
}

export function checkOptions(options: AdyenOptions): void {
  const { apiKey, merchantAccount, hmacKeys, environment, liveUrlPrefix } = options;
  if (apiKey === '') throw new Error('Adyen needs an API key');
  // A colon in it would let a signature mean something else.
  if (!/^[^:\s/]+$/.test(merchantAccount)) throw new Error('Adyen needs a merchant account');
  if (hmacKeys.length === 0) throw new Error('Adyen needs a key to verify messages with');
  if (!hmacKeys.every((key) => /^([0-9a-fA-F]{2}){32}$/.test(key))) {
    throw new Error('an HMAC key of Adyen has 64 hexadecimal digits');
  }
  if (environment === 'live' && (liveUrlPrefix ?? '') === '') {
    throw new Error('Adyen needs the prefix of the live address');
  }
}
