import type { AdyenOptions } from './adyen/options.ts';
import { openAdyen } from './adyen.ts';
import type { AlipayOptions } from './alipay/options.ts';
import { openAlipay } from './alipay.ts';
import type { PaypalOptions } from './paypal/client.ts';
import { openPaypal } from './paypal.ts';
import type { PaymentProvider } from './psp.ts';
import type { StripeOptions } from './stripe/client.ts';
import { openStripe } from './stripe.ts';
import type { WechatpayOptions } from './wechatpay/options.ts';
import { openWechatpay } from './wechatpay.ts';

/** The contracts that a publisher has; what it has none for is not offered. */
export interface Contracts {
  stripe: StripeOptions;
  paypal?: PaypalOptions | undefined;
  wechatpay?: WechatpayOptions | undefined;
  alipay?: AlipayOptions | undefined;
  adyen?: AdyenOptions | undefined;
}

export function openProviders({ stripe, paypal, wechatpay, alipay, adyen }: Contracts) {
  const providers: PaymentProvider[] = [
    openStripe(stripe),
    ...(paypal === undefined ? [] : [openPaypal(paypal)]),
    ...(wechatpay === undefined ? [] : [openWechatpay(wechatpay)]),
    ...(alipay === undefined ? [] : [openAlipay(alipay)]),
    ...(adyen === undefined ? [] : [openAdyen(adyen)]),
  ];
  return new Map(providers.map((provider) => [provider.name, provider]));
}
