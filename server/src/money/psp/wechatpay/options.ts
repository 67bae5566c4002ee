export interface WechatpayOptions {
  /** The application by which WeChat knows the site. It is bound to the merchant, and open ids are its own. */
  appId: string;
  mchId: string;
  /** Of our own certificate, and the key that belongs to it. */
  merchantSerial: string;
  merchantPrivateKey: string;
  /**
   * What WeChat signs with, as PEM by serial: its certificates, its public key `PUB_KEY_ID_…`, or
   * both while it moves from the one to the other.
   */
  platformKeys: Readonly<Record<string, string>>;
  /** The one of them that answers should be signed with. */
  answerSerial: string;
  /** Notifications are encrypted with it. Two while it is being changed. */
  apiV3Keys: readonly string[];
  /** Where notifications come in. Without a query, which WeChat refuses. */
  notifyUrl: string;
  /** Another address than WeChat's own, for the sandbox. */
  apiBase?: string | undefined;
}

/** Mistakes that WeChat would not tell us of before the first payment. */
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
