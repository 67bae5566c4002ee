import { handOutCoupons, loadCoupons } from '../../offers/coupons/coupon-templates.ts';
import type { Db } from '../../platform/db.ts';
import type { Sites } from '../../publisher/sites/sites.ts';
import type { DemoPlayer } from '../demo-documents.ts';
import type { ShopFolder } from '../shop-documents.ts';

/**
 * Idempotent: existing templates and issued coupons are left alone. Templates start at a fixed time,
 * because a later seed cannot change them.
 */
export async function seedCoupons(
  { db, sites }: { db: Db; sites: Sites },
  { coupons }: ShopFolder,
  players: readonly DemoPlayer[],
): Promise<void> {
  const templates = coupons.map(({ value }) => value);
  const { complaints } = await db.transaction(async (tx) =>
    loadCoupons(tx, { list: templates, sites: await sites.all(), by: 'seed' }),
  );
  if (complaints.length > 0) throw new Error(complaints.join('\n'));
  for (const { templateId } of templates) {
    const receivers = players
      .filter((player) => player.coupons.includes(templateId))
      .map(({ loginName }) => loginName);
    if (receivers.length === 0) continue;
    const handout = { templateId, key: templateId, receivers, by: 'seed' };
    const handed = await handOutCoupons(db, handout);
    if (handed.result === 'refused') throw new Error(handed.why);
  }
}
