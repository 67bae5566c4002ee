import type { Route } from '../../../platform/outbound.ts';

export interface PaypalOptions {
  clientId: string;
  clientSecret: string;
  /** PayPal's own sandbox has separate host names. */
  environment: 'production' | 'sandbox';
  /** PayPal's ids of our webhook; two while it is being moved. */
  webhookIds: readonly string[];
  /** If set, webhooks about payments to any other merchant are refused. */
  merchantId?: string | undefined;
  /** Routes connections to the sandbox, because the SDK accepts no other base URL. */
  route?: Route | undefined;
}
