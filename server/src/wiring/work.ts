import { countRecentFunnels, keepAnalyticsDays } from '../analytics/analytics.jobs.ts';
import { deliveryWorks, sweepDeliveries, sweepPromises } from '../delivery/delivery.jobs.ts';
import { OrderKey } from '../delivery/delivery.ts';
import { revocationWorks, sweepRevocations } from '../delivery/revocations.jobs.ts';
import { openCase } from '../money/cases/cases.ts';
import { sweepDeferrals } from '../money/orders/orders.jobs.ts';
import {
  forgetOldEvents,
  paymentWorks,
  probeFailedProviders,
  sweepAttempts,
  sweepExpired,
  sweepInbox,
} from '../money/payments/payments.jobs.ts';
import { expireLots } from '../money/points/points.ts';
import { reconciliationWorks, sweepSettlements } from '../money/reconciliation/reconciliation.ts';
import { refundWorks, sweepRefunds } from '../money/refunds/refunds.jobs.ts';
import { forgetOldSessions } from '../people/accounts/accounts.ts';
import { forgetOldArrivals } from '../people/arrivals/arrivals.ts';
import { forgetOldSignIns } from '../people/identity/identity.ts';
import { forgetOldNotices, noticeWorks } from '../people/notices/notices.ts';
import { forgetOldChallenges } from '../people/passkeys/passkeys.ts';
import { forgetOldReviews } from '../people/passkeys/reviews.ts';
import { forgetOldRefusals } from '../people/player-imports/player-imports.ts';
import { eraseWhoLeft } from '../people/privacy/privacy.ts';
import { openLeadership } from '../platform/connections.ts';
import { ensurePartitions } from '../platform/partitions.ts';
import { repeatEvery } from '../platform/schedule.ts';
import { connectionOf, type Shop } from './app.ts';
import { sweepContent } from './content-checks.ts';

const housekeepEveryMs = 60 * 60_000;

/** Runs jobs and sweeps until the returned function is called. */
export function startWork(shop: Shop): () => Promise<void> {
  const stopJobs = shop.jobs.work(shop.db, [
    ...paymentWorks(shop.payments),
    ...refundWorks(shop.payments),
    ...reconciliationWorks(shop.payments),
    ...deliveryWorks(shop),
    ...revocationWorks(shop),
    ...noticeWorks(shop.notices),
  ]);
  let stopSweeps = async () => {};
  const leadership = openLeadership(connectionOf(shop.config, 'worker'), 'sweeps', {
    onLead: () => {
      stopSweeps = startSweeps(shop);
    },
    onLost: () => stopSweeps(),
  });
  return async () => {
    await leadership.close();
    await stopJobs();
  };
}

function startSweeps(shop: Shop): () => Promise<void> {
  const stops = sweepsOf(shop).map(({ sweep, ...rhythm }) => repeatEvery(rhythm, sweep));
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
  };
}

interface Sweep {
  name: string;
  everyMs: number;
  sweep: () => Promise<void>;
}

/** Periodic sweeps for work that no event triggers; one leader among the workers runs them. */
export function sweepsOf(shop: Shop): Sweep[] {
  const every = (everyMs: number, sweeps: Record<string, () => Promise<void>>): Sweep[] =>
    Object.entries(sweeps).map(([name, sweep]) => ({ name, everyMs, sweep }));
  return [
    ...every(2_000 * shop.config.WORKER_POLL_SECONDS, {
      sweep_attempts: () => sweepAttempts(shop.payments),
      sweep_expired: () => sweepExpired(shop.payments),
      sweep_refunds: () => sweepRefunds(shop.payments),
      sweep_trials: () => probeFailedProviders(shop.payments),
    }),
    // These sweeps look for work that is hours old, so they run rarely.
    ...every(60_000, {
      sweep_inbox: () => sweepInbox(shop.payments),
      sweep_deliveries: () => sweepDeliveries(shop),
      sweep_promises: () => sweepPromises(shop),
      sweep_revocations: () => sweepRevocations(shop),
      sweep_deferrals: () => sweepDeferrals(shop.db, { minutes: 10 }),
      given_up_jobs: () => tellOfGivenUpJobs(shop),
      old_sign_ins: () => forgetOldSignIns(shop.db),
      old_arrivals: () => forgetOldArrivals(shop.db),
      old_challenges: () => forgetOldChallenges(shop.db),
      old_sessions: () => forgetOldSessions(shop.db),
      old_reviews: () => forgetOldReviews(shop.db),
      old_notices: () => forgetOldNotices(shop.db),
      old_codes: () => shop.checks.forgetOld(),
      sweep_content: () => sweepContent(shop),
      expire_points: () => expireLots(shop.db, { rowsMax: 200 }),
    }),
    ...every(housekeepEveryMs, {
      sweep_all_attempts: () => sweepAttempts(shop.payments, 'all'),
      sweep_all_expired: () => sweepExpired(shop.payments, 'all'),
      sweep_all_refunds: () => sweepRefunds(shop.payments, 'all'),
      sweep_all_deliveries: () => sweepDeliveries(shop, 'all'),
      sweep_all_promises: () => sweepPromises(shop, 'all'),
      sweep_all_revocations: () => sweepRevocations(shop, 'all'),
      sweep_all_deferrals: () => sweepDeferrals(shop.db, { minutes: 24 * 60 }),
      settlements: () => sweepSettlements(shop.payments),
      partitions: () => ensurePartitions(shop.db),
      analytics_days: () => keepAnalyticsDays(shop.analytics),
      funnels: () => countRecentFunnels(shop.analytics),
      old_events: () => forgetOldEvents(shop.payments),
      old_refusals: () => forgetOldRefusals(shop.db),
      accounts_to_erase: () => eraseWhoLeft(shop.db, { now: Date.now }),
    }),
  ];
}

/** Opens a case for each job that has failed for hours. */
async function tellOfGivenUpJobs({ db, jobs }: Pick<Shop, 'db' | 'jobs'>): Promise<void> {
  await jobs.takeGivenUp(db, async (tx, { kind, payload, cause }) => {
    const names = Object.values(payload).filter((value) => typeof value === 'string');
    const order = OrderKey.safeParse(payload);
    await openCase(tx, {
      kind: 'job_given_up',
      subject: [kind, ...names].join(':'),
      order: order.success ? order.data : null,
      details: { job: kind, cause },
    });
  });
}
