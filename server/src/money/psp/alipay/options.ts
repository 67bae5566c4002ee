import { createPrivateKey, createPublicKey } from 'node:crypto';

export interface AlipayOptions {
  appId: string;
  /** The seller's account, `2088…`. */
  sellerId: string;
  /** Signs the shop's requests, as PEM. */
  privateKey: string;
  /** Verify Alipay's signatures, as PEM. Two during a key rotation. */
  alipayPublicKeys: readonly string[];
  /** The URL that receives notifications. */
  notifyUrl: string;
  /**
   * How a payer on a desktop pays: on Alipay's page (电脑网站支付), or by a QR code that the shop shows
   * (订单码支付). Each needs its own contract with Alipay, so the publisher has to choose.
   */
  desktop: 'page' | 'qr';
  /** Replaces Alipay's gateway URL, for the sandbox. */
  gateway?: string | undefined;
}

/** Throws on mistakes that Alipay would only report at the first payment. */
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
