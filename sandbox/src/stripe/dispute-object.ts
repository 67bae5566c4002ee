import type { WireObject } from './objects.ts';
import type { DisputeRow } from './rows.ts';

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
