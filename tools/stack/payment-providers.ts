/** Those that the sandbox plays, by the names that the shop has for them. */
export const paymentProviders = ['stripe', 'paypal', 'wechatpay', 'alipay', 'adyen'] as const;
export type PaymentProviderName = (typeof paymentProviders)[number];
