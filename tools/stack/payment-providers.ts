/** The sandbox providers, by the shop's names for them. */
export const paymentProviders = ['stripe', 'paypal', 'wechatpay', 'alipay', 'adyen'] as const;
export type PaymentProviderName = (typeof paymentProviders)[number];
