export interface AdyenOptions {
  apiKey: string;
  merchantAccount: string;
  environment: 'test' | 'live';
  /** The merchant's own prefix of the live API host. */
  liveUrlPrefix?: string | undefined;
  /** The keys that webhooks are signed with, in hex. Two during a key rotation. */
  hmacKeys: readonly string[];
  /** Replaces Adyen's API URL, for the sandbox. */
  apiBase?: string | undefined;
}

export function checkOptions(options: AdyenOptions): void {
  const { apiKey, merchantAccount, hmacKeys, environment, liveUrlPrefix } = options;
  if (apiKey === '') throw new Error('Adyen needs an API key');
  // The signed text joins its fields with colons, so a field with a colon would make it ambiguous.
  if (!/^[^:\s/]+$/.test(merchantAccount)) throw new Error('Adyen needs a merchant account');
  if (hmacKeys.length === 0) throw new Error('Adyen needs a key to verify messages with');
  if (!hmacKeys.every((key) => /^([0-9a-fA-F]{2}){32}$/.test(key))) {
    throw new Error('an HMAC key of Adyen has 64 hexadecimal digits');
  }
  if (environment === 'live' && (liveUrlPrefix ?? '') === '') {
    throw new Error('Adyen needs the prefix of the live address');
  }
}
