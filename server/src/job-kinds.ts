import { deliverOrderJob, revokeOrderJob } from './delivery/delivery.ts';
import { sendNoticeJob } from './notices/notices.ts';
import { checkAttemptJob, expireOrderJob, processWebhookJob } from './payments/payments.jobs.ts';
import { askProviderJob, askRefundJob } from './payments/payments.ts';
import { reconcileDayJob } from './reconciliation/reconciliation.ts';
import { refundPaymentJob } from './refunds/refunds.ts';

/** Every kind of job there is; migrate.ts makes a queue for each, without loading the whole shop. */
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
