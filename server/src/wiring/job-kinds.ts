import { deliverOrderJob, revokeOrderJob } from '../delivery/delivery.ts';
import {
  checkAttemptJob,
  expireOrderJob,
  processWebhookJob,
} from '../money/payments/payments.jobs.ts';
import { askProviderJob, askRefundJob } from '../money/payments/payments.ts';
import { reconcileDayJob } from '../money/reconciliation/reconciliation.ts';
import { refundPaymentJob } from '../money/refunds/refunds.ts';
import { sendNoticeJob } from '../people/notices/notices.ts';

/** All kinds of jobs; migrate.ts creates a queue for each, without loading the whole shop. */
export const jobKinds = [
  processWebhookJob,
  checkAttemptJob,
  askProviderJob,
  askRefundJob,
  expireOrderJob,
  deliverOrderJob,
  revokeOrderJob,
  refundPaymentJob,
  reconcileDayJob,
  sendNoticeJob,
];
