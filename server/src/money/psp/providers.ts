import type { AdyenOptions } from './adyen/options.ts';
import { openAdyen } from './adyen.ts';
import type { AlipayOptions } from './alipay/options.ts';
import { openAlipay } from './alipay.ts';
import type { PaypalOptions } from './paypal/options.ts';
import { openPaypal } from './paypal.ts';
import type { PaymentProvider } from './psp.ts';
import type { StripeOptions } from './stripe/options.ts';
import { openStripe } from './stripe.ts';
import type { WechatpayOptions } from './wechatpay/options.ts';
import { openWechatpay } from './wechatpay.ts';

/** One account with a provider, under the name that the publisher gave it. */
export type Contract = { name: string } & (
  | ({ provider: 'stripe' } & StripeOptions)
  | ({ provider: 'paypal' } & PaypalOptions)
  | ({ provider: 'wechatpay' } & WechatpayOptions)
  | ({ provider: 'alipay' } & AlipayOptions)
  | ({ provider: 'adyen' } & AdyenOptions)
);

/** Throws if its keys cannot be read. */
export function openProvider(contract: Contract): PaymentProvider {
  switch (contract.provider) {
    case 'stripe':
      return openStripe(contract, contract.name);
    case 'paypal':
      return openPaypal(contract, contract.name);
    case 'wechatpay':
      return openWechatpay(contract, contract.name);
    case 'alipay':
      return openAlipay(contract, contract.name);
    case 'adyen':
      return openAdyen(contract, contract.name);
  }
}
