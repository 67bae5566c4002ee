import { Id } from '@pointgate/contract/documents/parts.ts';
import { z } from 'zod';
import { BatchTerms } from '../checkout/redeem/batch-rules.ts';
import { RealNameImport } from '../people/real-names/real-names.ts';
import type { FolderReader } from './folder-reader.ts';
import type { ShopFolder } from './shop-documents.ts';

const DemoPlayer = z.strictObject({
  loginName: z.string(),
  email: z.email(),
  phone: z.e164(),
  password: z.string(),
  displayName: z.string(),
  gameAccounts: z.array(z.strictObject({ gameId: Id, gameAccountId: z.string() })),
  /** The templates of which the player gets a coupon. */
  coupons: z.array(Id),
  realName: RealNameImport.optional(),
});
export type DemoPlayer = z.output<typeof DemoPlayer>;

const DemoCodes = z.array(BatchTerms.safeExtend({ code: z.string() }));
export type DemoCode = z.output<typeof DemoCodes>[number];

/** What only a demo has: players with known passwords, and redeem codes that everybody may know. */
export interface DemoDocuments {
  players: DemoPlayer[];
  codes: DemoCode[];
}

export function readDemo(reader: FolderReader, { isDemo }: ShopFolder): DemoDocuments {
  if (!isDemo) return { players: [], codes: [] };
  const players = reader.has('players')
    ? reader.document(z.array(DemoPlayer), 'players')
    : undefined;
  const codes = reader.has('codes') ? reader.document(DemoCodes, 'codes') : undefined;
  return { players: players?.value ?? [], codes: codes?.value ?? [] };
}
