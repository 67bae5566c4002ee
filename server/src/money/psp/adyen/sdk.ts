// Imports single files, because the whole library loads every Adyen product and adds a second to startup.
// The package declares no exports; its version is pinned, and the type check fails if a file moves.
import client from '@adyen/api-library/lib/src/client.js';
import checkout from '@adyen/api-library/lib/src/services/checkout/index.js';
import { CreateCheckoutSessionRequest } from '@adyen/api-library/lib/src/typings/checkout/createCheckoutSessionRequest.js';
import { PaymentRefundRequest } from '@adyen/api-library/lib/src/typings/checkout/paymentRefundRequest.js';
import hmac from '@adyen/api-library/lib/src/utils/hmacValidator.js';

export const AdyenClient = client.default;
export const CheckoutApi = checkout.default;
export type CheckoutApi = InstanceType<typeof CheckoutApi>;
export const HmacValidator = hmac.default;
export const { ChannelEnum, ModeEnum } = CreateCheckoutSessionRequest;
export const { MerchantRefundReasonEnum: RefundReason } = PaymentRefundRequest;
