import * as z from 'zod/mini';

/** The next step of the browser in a payment. */
export const PaymentAction = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('redirect'), url: z.url() }),
  /** The content of a QR code to be scanned with the provider's app. */
  z.strictObject({ kind: z.literal('qr'), content: z.string() }),
  /** Parameters for WeChat's JavaScript bridge, inside WeChat. */
  z.strictObject({
    kind: z.literal('wechat_jsapi'),
    params: z.strictObject({
      appId: z.string(),
      timeStamp: z.string(),
      nonceStr: z.string(),
      package: z.string(),
      signType: z.literal('RSA'),
      paySign: z.string(),
    }),
  }),
]);
export type PaymentAction = z.output<typeof PaymentAction>;
