import { BatchTerms } from '../checkout/redeem/batch-rules.ts';
import { type BatchContext, importCodes } from '../checkout/redeem/redeem.ts';
import { demoGame } from './demo-games.ts';

/** Codes that every demo player can redeem once. They are published in the README. */
export const demoCodes = [
  { code: 'GATE-DAWN-GAME-2026', reward: { kind: 'points', points: '250', days: 90 } },
  { code: 'GATE-DAWN-GEMS-2026', reward: { kind: 'item', itemId: 'shards_300' } },
] as const;

/** Idempotent: existing batches are left alone. */
export async function seedCodes(context: BatchContext, now: Date): Promise<void> {
  for (const { code, reward } of demoCodes) {
    const terms = BatchTerms.parse({
      name: `demo-${reward.kind}`,
      reward,
      usesPerCode: 10_000,
      siteId: demoGame.id,
      startsAt: now.toISOString(),
      endsAt: null,
    });
    await importCodes(context, { terms, by: 'seed' }, code);
  }
}
