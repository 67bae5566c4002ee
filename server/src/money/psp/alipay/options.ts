import { createPrivateKey, createPublicKey } from 'node:crypto';

export interface AlipayOptions {
  appId: string;
  /** The account that is paid, `2088…`. */
  sellerId: string;
  /** What we sign with, as PEM. */
  privateKey: string;
  /** What Alipay signs with, as PEM. Two while it is being changed. */
  alipayPublicKeys: readonly string[];
  /** Where notifications come in. */
  notifyUrl: string;
  /**
   * How a payer at a desktop pays: on Alipay's own page (电脑网站支付), or by a code that the shop shows
   * (订单码支付). Each wants a contract of its own with Alipay, so the publisher says which it has.
   */
  desktop: 'page' | 'qr';
  /** Another gateway than Alipay's own, for the sandbox. */
  gateway?: string | undefined;
}

/** Mistakes that Alipay would not tell us of before the first payment. */
export function checkOptions(options: AlipayOptions): void {
  const { appId, sellerId, privateKey, alipayPublicKeys, notifyUrl } = options;
  if (!/^\d{16}$/.test(appId)) throw new Error('Alipay: an application has 16 digits');
  if (!/^2088\d{12}$/.test(sellerId)) throw new Error('Alipay: a seller is 2088 and 12 digits');
  if (alipayPublicKeys.length === 0) throw new Error('Alipay: there is no key to verify with');
  createPrivateKey(privateKey);
  for (const key of alipayPublicKeys) createPublicKey(key);
  const { search, hash } = new URL(notifyUrl);
  if (search !== '' || hash !== '') throw new Error('Alipay: a notify URL has no query');
}
