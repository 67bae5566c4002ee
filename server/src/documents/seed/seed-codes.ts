import { type BatchContext, importCodes, listCodes } from '../../checkout/redeem/redeem.ts';
import type { DemoCode } from '../demo-documents.ts';

/** Idempotent: existing batches are left alone. */
export async function seedCodes(context: BatchContext, codes: readonly DemoCode[]): Promise<void> {
  const there = (await listCodes(context.db)).map(({ name }) => name);
  for (const { code, ...terms } of codes) {
    if (there.includes(terms.name)) continue;
    const stored = await importCodes(context, { terms, by: 'seed' }, code);
    if ('complaints' in stored) throw new Error(stored.complaints.join('\n'));
  }
}
