import type { z } from 'zod';
import type { Db, Tx } from '../../platform/db.ts';
import type { UnusableRow } from '../../platform/readable-rows.ts';
import { newCodes } from '../../platform/typed-codes.ts';
import { isSoldAt, type Sites } from '../../publisher/sites/sites.ts';
import { type BatchTerms, type NewBatch, toJson } from './batch-rules.ts';
import { readCodeFile } from './code-file.ts';
import type { CodeHash } from './code-text.ts';
import {
  insertBatch,
  insertCodes,
  type ListedRow,
  selectBatches,
  selectCouponName,
  selectIsBatch,
  selectItem,
  selectKnownHashes,
  selectLiveBatches,
  updateStopped,
} from './redeem.queries.ts';

/** The dependencies of the operator commands for codes. */
export interface BatchContext {
  db: Db;
  sites: Sites;
  hashOf: CodeHash;
}

/** The created batch, or the reasons why none was created. */
type Made = { batch: string; codes: number } | { complaints: string[] };

/**
 * Creates a batch of new codes. They are printed before they are stored, so that a code that nobody
 * received cannot work; they work only after this function has returned.
 */
export async function makeCodes(
  context: BatchContext,
  { batch, by }: { batch: z.output<typeof NewBatch>; by: string },
  write: (text: string) => Promise<void>,
): Promise<Made> {
  const resolved = await resolve(context, batch);
  if ('complaints' in resolved) return resolved;
  const codes = newCodes(batch.codes);
  await write('code\n');
  for (let from = 0; from < codes.length; from += codesPerWrite) {
    await write(`${codes.slice(from, from + codesPerWrite).join('\n')}\n`);
  }
  return await store(context, { terms: resolved.terms, by, codes });
}

const codesPerWrite = 10_000;

/** Creates a batch of externally generated codes, given as text with one per line. */
export async function importCodes(
  context: BatchContext,
  { terms, by }: { terms: BatchTerms; by: string },
  text: string,
): Promise<Made> {
  const resolved = await resolve(context, terms);
  if ('complaints' in resolved) return resolved;
  const { codes, complaints } = readCodeFile(text);
  if (complaints.length > 0) return { complaints };
  return await store(context, { terms: resolved.terms, by, codes });
}

/**
 * Stops a batch: its codes count as expired, past rewards stay. False if there is no such batch.
 */
export async function stopCodes(tx: Tx, stop: { name: string; by: string }): Promise<boolean> {
  return await updateStopped(tx, stop);
}

/** All batches, newest first, with the number of uses. */
export async function listCodes(db: Db) {
  return (await selectBatches(db, { rowsMax: 1_000 })).map(toListed);
}

export async function unusableBatches(db: Db): Promise<UnusableRow[]> {
  return (await selectLiveBatches(db)).unusable;
}

function toListed(row: ListedRow) {
  return {
    name: row.name,
    reward: JSON.parse(toJson(row.reward)) as unknown, // as: any to unknown, to be printed
    codes: row.code_count,
    usesPerCode: row.uses_max,
    codesPerAccount: row.per_account_max,
    siteId: row.site_id,
    countries: row.countries,
    startsAt: row.starts_at,
    endsAt: row.ends_at,
    madeBy: row.made_by,
    madeAt: row.made_at,
    stoppedBy: row.stopped_by,
    stoppedAt: row.stopped_at,
    uses: row.used,
    codesUsed: row.codes_used,
  };
}

/** Checks that the site, item or coupon of the terms exists, so that no player meets the error. */
async function resolve(
  { db, sites }: BatchContext,
  terms: BatchTerms,
): Promise<{ terms: BatchTerms } | { complaints: string[] }> {
  const { name: batchName, siteId, reward } = terms;
  if (await selectIsBatch(db, batchName)) return isThere(batchName);
  const site = siteId === null ? null : await sites.byId(siteId);
  if (site === undefined) return { complaints: [`there is no site ${siteId}`] };
  if (reward.kind === 'points') return { terms };
  if (reward.kind === 'coupon') {
    const { templateId } = reward;
    const name = (await selectCouponName(db, templateId))?.name;
    if (name === undefined) return { complaints: [`there is no coupon ${templateId}`] };
    return { terms: { ...terms, reward: { ...reward, name } } };
  }
  const { itemId } = reward;
  const item = await selectItem(db, itemId);
  if (item === undefined) return { complaints: [`there is no item ${itemId}`] };
  const { game_id: gameId, has_points_price: hasPrice } = item;
  if (!hasPrice) return { complaints: [`${itemId} has no price in points`] };
  if (site !== null && !isSoldAt(site, gameId)) {
    return { complaints: [`${siteId} does not sell ${itemId}`] };
  }
  return { terms: { ...terms, reward: { ...reward, gameId } } };
}

/** Stores the batch with all its codes in one transaction. */
async function store(
  context: BatchContext,
  { terms, by, codes }: { terms: BatchTerms; by: string; codes: readonly string[] },
): Promise<Made> {
  // Latin-1 strings, because a million Buffer objects would take a gigabyte.
  const hashes = codes.map((code) => context.hashOf(code).toString('latin1'));
  const known = await context.db
    .transaction(async (tx) => {
      const rewardJson = toJson(terms.reward);
      const batchId = await insertBatch(tx, { ...terms, codes: codes.length, rewardJson, by });
      if (batchId === undefined) return 'name';
      const inserted = await insertAll(tx, { batchId, usesMax: terms.usesPerCode, hashes });
      if (inserted === hashes.length) return undefined;
      throw new CodesKnown();
    })
    .catch((error: unknown) => {
      if (error instanceof CodesKnown) return 'codes';
      throw error;
    });
  if (known === 'name') return isThere(terms.name);
  if (known === 'codes') return { complaints: await knownLines(context.db, hashes) };
  return { batch: terms.name, codes: codes.length };
}

const isThere = (name: string) => ({ complaints: [`there is a batch ${name} already`] });

/** Thrown to roll the transaction back. */
class CodesKnown extends Error {}

const codesPerInsert = 20_000;

/** Sorted, so that the index is extended at its end instead of in random places. */
async function insertAll(
  tx: Tx,
  { hashes, ...batch }: { batchId: number; usesMax: number; hashes: readonly string[] },
): Promise<number> {
  const sorted = hashes.toSorted();
  let inserted = 0;
  for (let from = 0; from < sorted.length; from += codesPerInsert) {
    const some = Buffer.from(sorted.slice(from, from + codesPerInsert).join(''), 'latin1');
    inserted += await insertCodes(tx, { ...batch, hashes: some });
  }
  return inserted;
}

async function knownLines(db: Db, hashes: readonly string[]): Promise<string[]> {
  const lines: string[] = [];
  for (let from = 0; from < hashes.length; from += codesPerInsert) {
    const some = hashes.slice(from, from + codesPerInsert);
    const buffers = some.map((hash) => Buffer.from(hash, 'latin1'));
    const found = await selectKnownHashes(db, buffers);
    const known = new Set(found.map((hash) => hash.toString('latin1')));
    some.forEach((hash, index) => {
      if (known.has(hash)) lines.push(`line ${from + index + 1} is a code of another batch`);
    });
  }
  return lines;
}
