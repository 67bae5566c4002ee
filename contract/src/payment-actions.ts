import * as z from 'zod/mini';

/** What the browser does next so that the player can pay. */
export const PaymentAction = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('redirect'), url: z.url() }),
  /** To be shown as a QR code and scanned with the provider's app. */
  z.strictObject({ kind: z.literal('qr'), content: z.string() }),
  /** To be handed to WeChat's own bridge, inside WeChat. */
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
