import { z } from 'zod';
import { BatchTerms } from '../checkout/redeem/batch-rules.ts';
import { type BatchContext, importCodes, listCodes } from '../checkout/redeem/redeem.ts';
import type { ShopFiles } from './shop-files.ts';

const Codes = z.array(BatchTerms.safeExtend({ code: z.string() }));

/** Redeem codes that everybody may know, each a batch of its own. */
export function readCodes(files: ShopFiles): z.output<typeof Codes> {
  return files.json(Codes, 'codes.json');
}

/** Idempotent: existing batches are left alone. */
export async function seedCodes(context: BatchContext, files: ShopFiles): Promise<void> {
  const there = (await listCodes(context.db)).map(({ name }) => name);
  for (const { code, ...terms } of readCodes(files)) {
    if (there.includes(terms.name)) continue;
    const stored = await importCodes(context, { terms, by: 'seed' }, code);
    if ('complaints' in stored) throw new Error(stored.complaints.join('\n'));
  }
}
