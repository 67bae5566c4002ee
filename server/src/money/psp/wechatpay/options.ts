export interface WechatpayOptions {
  /** The WeChat application of the site. It is bound to the merchant, and openids are valid for it only. */
  appId: string;
  mchId: string;
  /** The serial of the merchant's certificate, and its private key. */
  merchantSerial: string;
  merchantPrivateKey: string;
  /**
   * WeChat's signing keys as PEM by serial: its certificates, its public key `PUB_KEY_ID_…`, or both during
   * the migration between them.
   */
  platformKeys: Readonly<Record<string, string>>;
  /** The serial of the key that WeChat should sign its answers with. */
  answerSerial: string;
  /** Decrypt notifications. Two during a key rotation. */
  apiV3Keys: readonly string[];
  /** The URL that receives notifications. WeChat refuses a query in it. */
  notifyUrl: string;
  /** Replaces WeChat's API URL, for the sandbox. */
  apiBase?: string | undefined;
}

/** Throws on mistakes that WeChat would only report at the first payment. */
export function checkOptions({
  platformKeys,
  answerSerial,
  apiV3Keys,
  notifyUrl,
}: WechatpayOptions) {
  if (!Object.hasOwn(platformKeys, answerSerial)) {
    throw new Error(`WeChat Pay: there is no key for ${answerSerial}`);
  }
  if (apiV3Keys.length === 0 || apiV3Keys.some((key) => Buffer.byteLength(key) !== 32)) {
    throw new Error('WeChat Pay: an APIv3 key has 32 bytes');
  }
  const { search, hash } = new URL(notifyUrl);
  if (search !== '' || hash !== '') throw new Error('WeChat Pay: a notify URL has no query');
}
