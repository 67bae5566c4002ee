import type { ChargeRow, DisputeRow, IntentRow, LineItem, RefundRow, SessionRow } from './rows.ts';

/** An object in the JSON format of the provider. */
export type WireObject = Record<string, unknown>;

/** `paymentIntent` and `withLineItems` carry the requested expansions. */
export function sessionObject(
  row: SessionRow,
  extra: { publicUrl: string; paymentIntent?: WireObject | null; withLineItems?: boolean },
): WireObject {
  return {
    id: row.id,
    object: 'checkout.session',
    adaptive_pricing: { enabled: false },
    after_expiration: null,
    allow_promotion_codes: null,
    allowed_payment_method_types: row.allowed_types.length > 0 ? row.allowed_types : null,
    amount_subtotal: row.amount_total,
    amount_total: row.amount_total,
    automatic_tax: { enabled: false, liability: null, provider: null, status: null },
    billing_address_collection: null,
    cancel_url: row.cancel_url,
    client_reference_id: row.client_reference_id,
    client_secret: null,
    collected_information: null,
    consent: null,
    consent_collection: null,
    created: row.created,
    currency: row.currency,
    currency_conversion: null,
    custom_fields: [],
    custom_text: {
      after_submit: null,
      shipping_address: null,
      submit: null,
      terms_of_service_acceptance: null,
    },
    customer: null,
    customer_account: null,
    customer_creation: 'if_required',
    customer_details: row.status === 'complete' ? customerDetails(row) : null,
    customer_email: row.customer_email,
    discounts: [],
    expires_at: row.expires_at,
    integration_identifier: null,
    invoice: null,
    invoice_creation: null,
    ...(extra.withLineItems === true ? { line_items: lineItemList(row) } : {}),
    livemode: false,
    locale: row.locale,
    metadata: row.metadata,
    mode: 'payment',
    origin_context: null,
    payment_intent: extra.paymentIntent ?? row.payment_intent,
    payment_link: null,
    payment_method_collection: 'if_required',
    payment_method_configuration_details: null,
    payment_method_options: { card: { request_three_d_secure: 'automatic' } },
    payment_method_types: ['card'],
    payment_status: row.status === 'complete' ? 'paid' : 'unpaid',
    permissions: null,
    phone_number_collection: { enabled: false },
    recovered_from: null,
    saved_payment_method_options: null,
    setup_intent: null,
    shipping_address_collection: null,
    shipping_cost: null,
    shipping_options: [],
    status: row.status,
    submit_type: null,
    subscription: null,
    success_url: row.success_url,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    ui_mode: 'hosted_page',
    url: row.status === 'open' ? `${extra.publicUrl}/c/pay/${row.id}` : null,
    wallet_options: null,
  };
}

/** `latestCharge` is the id, or the expanded charge on request. */
export function intentObject(row: IntentRow, latestCharge: string | WireObject | null): WireObject {
  const isPaid = row.status === 'succeeded';
  return {
    id: row.id,
    object: 'payment_intent',
    amount: row.amount,
    amount_capturable: 0,
    amount_details: { tip: {} },
    amount_received: isPaid ? row.amount : 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: 'automatic_async',
    client_secret: `${row.id}_secret_sandbox`,
    confirmation_method: 'automatic',
    created: row.created,
    currency: row.currency,
    customer: null,
    customer_account: null,
    description: null,
    last_payment_error: row.last_error === null ? null : declineObject(row.last_error),
    latest_charge: latestCharge,
    livemode: false,
    metadata: row.metadata,
    next_action: null,
    on_behalf_of: null,
    payment_method: isPaid ? paymentMethodOf(row.id) : null,
    payment_method_configuration_details: null,
    payment_method_options: { card: { request_three_d_secure: 'automatic' } },
    payment_method_types: ['card'],
    processing: null,
    receipt_email: null,
    review: null,
    setup_future_usage: null,
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: row.status,
    transfer_data: null,
    transfer_group: null,
  };
}

export function chargeObject(row: ChargeRow): WireObject {
  return {
    id: row.id,
    object: 'charge',
    amount: row.amount,
    amount_captured: row.amount,
    amount_refunded: row.amount_refunded,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: row.balance_transaction,
    billing_details: { address: null, email: null, name: null, phone: null, tax_id: null },
    calculated_statement_descriptor: 'SANDBOX PAY',
    captured: true,
    created: row.created,
    currency: row.currency,
    customer: null,
    description: null,
    disputed: row.disputed === 1,
    failure_balance_transaction: null,
    failure_code: null,
    failure_message: null,
    fraud_details: {},
    livemode: false,
    metadata: row.metadata,
    on_behalf_of: null,
    outcome: {
      network_status: 'approved_by_network',
      reason: null,
      risk_level: 'normal',
      seller_message: 'Payment complete.',
      type: 'authorized',
    },
    paid: true,
    payment_intent: row.payment_intent,
    payment_method: paymentMethodOf(row.payment_intent),
    payment_method_details: {
      card: {
        brand: 'visa',
        country: 'US',
        exp_month: 12,
        exp_year: 2034,
        funding: 'credit',
        last4: '4242',
      },
      type: 'card',
    },
    receipt_email: null,
    receipt_number: null,
    receipt_url: null,
    refunded: row.amount_refunded === row.amount,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: 'succeeded',
    transfer_data: null,
    transfer_group: null,
  };
}

export function refundObject(row: RefundRow): WireObject {
  return {
    id: row.id,
    object: 'refund',
    amount: row.amount,
    balance_transaction: row.balance_transaction,
    charge: row.charge,
    created: row.created,
    currency: row.currency,
    customer: null,
    customer_account: null,
    destination_details: {
      card: {
        reference_status: 'pending',
        reference_type: 'acquirer_reference_number',
        type: 'refund',
      },
      type: 'card',
    },
    ...(row.failure_balance_transaction === null
      ? {}
      : { failure_balance_transaction: row.failure_balance_transaction }),
    ...(row.failure_reason === null ? {} : { failure_reason: row.failure_reason }),
    metadata: row.metadata,
    payment_intent: row.payment_intent,
    payment_method: paymentMethodOf(row.payment_intent),
    ...(row.status === 'pending' ? { pending_reason: 'processing' } : {}),
    reason: row.reason,
    receipt_number: null,
    source_transfer_reversal: null,
    status: row.status,
    transfer_reversal: null,
  };
}

function customerDetails(row: SessionRow): WireObject {
  return {
    address: null,
    business_name: null,
    email: row.customer_email,
    individual_name: null,
    name: null,
    phone: null,
    tax_exempt: 'none',
    tax_ids: [],
  };
}

function lineItemList(row: SessionRow): WireObject {
  return {
    object: 'list',
    data: row.line_items.map((item, index) =>
      lineItemObject(item, `li_${row.id.slice(-20)}${index}`),
    ),
    has_more: false,
    url: `/v1/checkout/sessions/${row.id}/line_items`,
  };
}

function lineItemObject(item: LineItem, id: string): WireObject {
  const amount = item.unitAmount * item.quantity;
  return {
    id,
    object: 'item',
    amount_discount: 0,
    amount_subtotal: amount,
    amount_tax: 0,
    amount_total: amount,
    currency: item.currency,
    description: item.name,
    price: null,
    quantity: item.quantity,
  };
}

function declineObject(code: string): WireObject {
  return {
    code: 'card_declined',
    decline_code: code,
    message: 'Your card was declined.',
    type: 'card_error',
  };
}

function paymentMethodOf(intentId: string): string {
  return intentId.replace(/^pi_/, 'pm_');
}

/** The merchant's time limit for a response. */
const answerSeconds = 9 * 24 * 3600;

export function disputeObject(
  row: DisputeRow,
  extra: { balance: WireObject[]; isRefundable: boolean },
): WireObject {
  return {
    id: row.id,
    object: 'dispute',
    amount: row.amount,
    balance_transactions: extra.balance,
    charge: row.charge,
    created: row.created,
    currency: row.currency,
    enhanced_eligibility_types: [],
    evidence: noEvidence,
    evidence_details: {
      due_by: row.created + answerSeconds,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'not_submitted',
    },
    intended_submission_method: null,
    is_charge_refundable: extra.isRefundable,
    livemode: false,
    metadata: {},
    payment_intent: row.payment_intent,
    payment_method_details: {
      card: {
        brand: 'visa',
        case_type: row.status.startsWith('warning_') ? 'inquiry' : 'chargeback',
        network: 'visa',
        network_reason_code: '10.4',
      },
      type: 'card',
    },
    reason: row.reason,
    status: row.status,
  };
}

const noEvidence: WireObject = {
  access_activity_log: null,
  billing_address: null,
  cancellation_policy: null,
  cancellation_policy_disclosure: null,
  cancellation_rebuttal: null,
  customer_communication: null,
  customer_email_address: null,
  customer_name: null,
  customer_purchase_ip: null,
  customer_signature: null,
  duplicate_charge_documentation: null,
  duplicate_charge_explanation: null,
  duplicate_charge_id: null,
  enhanced_evidence: {},
  product_description: null,
  receipt: null,
  refund_policy: null,
  refund_policy_disclosure: null,
  refund_refusal_explanation: null,
  service_date: null,
  service_documentation: null,
  shipping_address: null,
  shipping_carrier: null,
  shipping_date: null,
  shipping_documentation: null,
  shipping_tracking_number: null,
  uncategorized_file: null,
  uncategorized_text: null,
};
