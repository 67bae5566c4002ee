import { waitUntil } from '../tools/process/wait-until.ts';
import { pause } from './pause.ts';
import { logProgress } from './progress.ts';
import type { Shop } from './shop.ts';

// A job that failed while the database was down is retried after 1, 2, 4 … seconds.
const patienceMs = 4 * 60_000;
const idleMs = 2_000;

// A delivery that was postponed and then run early leaves a job that has nothing to do; deliveries
// that are really pending are counted separately.
const pendingWork = `
  select 'job ' || name as what, count(*)::int from pgboss.job
  where state in ('created', 'retry', 'active')
    and start_after < now() + case name when 'deliver_order' then interval '0' else interval '10 minutes' end
  group by name
  union all select 'event', count(*)::int from provider_inbox where processed_at is null
  union all select 'delivery', count(*)::int from deliveries where state = 'queued'
  union all select 'refund', count(*)::int from refunds where state in ('requested', 'pending')
  union all select 'revocation', count(*)::int from revocations where state = 'queued'
  union all select 'deferral', count(*)::int from point_lots as lots
    where bucket = 'basic' and remaining <> (
      select deferrals.remaining from deferrals
      where deferrals.account_id = lots.account_id and deferrals.origin_id = lots.origin_id
      order by step desc limit 1)
  union all select 'attempt', count(*)::int from payment_attempts where state = 'opening'`;

/** Waits until no work is in progress and none is added for a moment. */
export async function untilIdle(shop: Shop): Promise<void> {
  let idleSince: number | undefined;
  let lastSaid = 0;
  const look = async () => {
    const rows = await shop.query<{ what: string; count: number }>(pendingWork);
    const left = rows.filter(({ count }) => count > 0);
    const now = performance.now();
    idleSince = left.length > 0 ? undefined : (idleSince ?? now);
    if (left.length > 0 && now - lastSaid > 10_000) {
      lastSaid = now;
      logProgress(`under way: ${left.map(({ what, count }) => `${count} ${what}`).join(', ')}`);
    }
    await pause(200);
    return idleSince !== undefined && now - idleSince > idleMs;
  };
  await waitUntil(look, { timeoutMs: patienceMs, what: 'something is still under way' });
}
