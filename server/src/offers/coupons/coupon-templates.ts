import type { CouponList, CouponTemplate } from '@pointgate/contract/documents/coupons.ts';
import { z } from 'zod';
import type { Db, Tx } from '../../platform/db.ts';
import { readDecimalAmount } from '../../platform/decimal-amount.ts';
import { isId } from '../../platform/ids.ts';
import type { UnusableRow } from '../../platform/readable-rows.ts';
import { isSoldAt, type Site } from '../../publisher/sites/sites.ts';
import {
  insertTemplate,
  lockTemplates,
  selectAccountsNamed,
  selectKnownNames,
  selectLiveTemplates,
  selectTemplates,
  selectTemplatesById,
  type TemplateRow,
  upsertIssue,
} from './coupon-templates.queries.ts';
import { issueCoupon } from './coupons.ts';

/**
 * Loads a list of templates as a whole, or returns every complaint and loads none. An identical
 * existing template is left alone; other terms need another id.
 */
export async function loadCoupons(
  tx: Tx,
  { list, sites, by }: { list: CouponList; sites: readonly Site[]; by: string },
): Promise<{ complaints: string[]; loaded: number }> {
  await lockTemplates(tx);
  const ids = list.map(({ templateId }) => templateId);
  const known = new Map((await selectTemplatesById(tx, ids)).map((row) => [row.id, row]));
  const named = await namesOf(tx, list);
  const complaints: string[] = [];
  const fresh = new Map<string, TemplateRow>();
  for (const line of list) {
    const { templateId } = line;
    const before = fresh.get(templateId) ?? known.get(templateId);
    const { row, complaint } = readLine(line, { named, sites });
    if (complaint !== null) complaints.push(`${templateId}: ${complaint}`);
    else if (before === undefined) fresh.set(templateId, row);
    else if (!isSame(before, row)) complaints.push(`${templateId}: has other terms, name it anew`);
  }
  if (complaints.length > 0) return { complaints, loaded: 0 };
  for (const row of fresh.values()) await insertTemplate(tx, { ...row, loadedBy: by });
  return { complaints, loaded: fresh.size };
}

interface World {
  /** Such as `game solmere`, `item shards_60` and `pack epoint_100`. */
  named: ReadonlySet<string>;
  sites: readonly Pick<Site, 'siteId' | 'gameIds' | 'currencies'>[];
}

async function namesOf(tx: Tx, list: CouponList): Promise<ReadonlySet<string>> {
  const ids = list.flatMap(({ games, items }) => [...(games ?? []), ...(items ?? [])]);
  return new Set((await selectKnownNames(tx, ids)).map(({ what, id }) => `${what} ${id}`));
}

/** The reason why a template cannot be loaded; null if it can. */
export function couponComplaint(line: CouponTemplate, world: World): string | null {
  return readLine(line, world).complaint;
}

function readLine(
  line: CouponTemplate,
  world: World,
): { row: TemplateRow; complaint: string | null } {
  const amounts = { amount: line.amount, cap: line.cap, minimum: line.minimum };
  const read = (text: string | null) =>
    text === null || line.currency === null ? null : readDecimalAmount(text, line.currency);
  const minor = { amount: read(line.amount), cap: read(line.cap), minimum: read(line.minimum) };
  const wrong = Object.entries(minor).find(([, value]) => value !== null && !isPrice(value));
  const row: TemplateRow = {
    id: line.templateId,
    name: line.name,
    basis_points: line.percent === null ? null : basisPointsOf(line.percent),
    amount_minor: minor.amount ?? null,
    currency: line.currency,
    cap_minor: minor.cap ?? null,
    minimum_minor: minor.minimum ?? null,
    site_ids: line.sites,
    kind: line.kind,
    game_ids: line.games,
    item_ids: line.items,
    starts_at: line.startsAt,
    ends_at: line.endsAt,
    live_days: line.days,
    per_account_max: line.perAccountMax,
  };
  const isPriced = Object.values(amounts).some((text) => text !== null);
  if (isPriced && line.currency === null) return { row, complaint: 'amounts need a currency' };
  if (wrong !== undefined) return { row, complaint: `${wrong[0]} is no amount in its currency` };
  return { row, complaint: termsComplaint(row) ?? worldComplaint(row, world) };
}

function isPrice(amountMinor: bigint | undefined): boolean {
  return amountMinor !== undefined && amountMinor > 0n;
}

/** `2.5` percent are 250 basis points. */
function basisPointsOf(percent: string): number {
  const [whole = '', part = ''] = percent.split('.');
  return Number(whole) * 100 + Number(part.padEnd(2, '0'));
}

/** Explains which database constraint the template would violate. */
function termsComplaint(row: TemplateRow): string | null {
  const { basis_points: share, amount_minor, ends_at } = row;
  if ((share === null) === (amount_minor === null)) return 'either a percent or an amount';
  if (share !== null && (share < 1 || share > 10_000)) return 'a percent is above 0 and up to 100';
  if (row.cap_minor !== null && share === null) return 'only a percent has a cap';
  if (row.game_ids !== null && row.kind !== 'item') return 'games are of the kind item';
  if (row.item_ids !== null && row.kind === null) return 'items need a kind';
  return ends_at !== null && ends_at <= row.starts_at ? 'ends before it starts' : null;
}

/** Rejects a template whose coupons could never be used on any site. */
function worldComplaint(row: TemplateRow, { named, sites }: World): string | null {
  const { game_ids, item_ids, site_ids, currency } = row;
  const what = row.kind === 'points' ? 'pack' : 'item';
  const unknown =
    site_ids?.find((siteId) => !sites.some((site) => site.siteId === siteId)) ??
    game_ids?.find((id) => !named.has(`game ${id}`)) ??
    item_ids?.find((id) => !named.has(`${what} ${id}`));
  if (unknown !== undefined) return `there is no ${unknown}`;
  const isTaken = sites.some(
    (site) =>
      (site_ids === null || site_ids.includes(site.siteId)) &&
      (game_ids === null || game_ids.some((gameId) => isSoldAt(site, gameId))) &&
      (currency === null || site.currencies.includes(currency)),
  );
  return isTaken ? null : 'no site that it is for takes this';
}

function isSame(one: TemplateRow, other: TemplateRow): boolean {
  return textOf(one) === textOf(other);
}

/** The terms as text in a fixed order, to compare templates. */
function textOf(row: TemplateRow): string {
  const name = Object.entries(row.name).toSorted(([one], [other]) => (one < other ? -1 : 1));
  const entries = Object.entries({ ...row, name }).toSorted(([one], [other]) =>
    one < other ? -1 : 1,
  );
  return JSON.stringify(entries, (_, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value,
  );
}

/** The newest templates, with the numbers of their issued and used coupons. */
export async function couponTemplates(db: Db) {
  return await selectTemplates(db);
}

export async function unusableCoupons(db: Db): Promise<UnusableRow[]> {
  return (await selectLiveTemplates(db)).unusable;
}

/** The receivers of a handout: account ids or login names. */
export const Receivers = z.array(z.string().min(1).max(200)).min(1).max(100_000);

export type Handout =
  | { result: 'done'; issued: number; issuedBefore: number; atLimit: string[] }
  | { result: 'refused'; why: string };

const batchSize = 500;

/**
 * Issues one coupon to each receiver, idempotent per key: the same command again, also after an
 * interruption, issues nothing twice. An unknown receiver stops the handout before anything is
 * issued.
 */
export async function handOutCoupons(
  db: Db,
  handout: { templateId: string; key: string; receivers: readonly string[]; by: string },
): Promise<Handout> {
  const { templateId, key } = handout;
  const { accountIds, unknown } = await accountsOf(db, handout.receivers);
  if (unknown.length > 0) return refused(`there is nobody called ${unknown.join(', ')}`);
  if (!/^[A-Za-z0-9][\w.-]{0,63}$/.test(key)) return refused('a key is a word of up to 64 letters');
  const isThere = await db.transaction(async (tx) => {
    await lockTemplates(tx);
    if ((await selectTemplatesById(tx, [templateId])).length === 0) return null;
    return (await upsertIssue(tx, handout)).template_id === templateId;
  });
  if (isThere === null) return refused(`there is no coupon ${templateId}`);
  if (!isThere) return refused(`${key} was used for another coupon`);

  const results = { issued: 0, issuedBefore: 0, atLimit: [] as string[] };
  for (let start = 0; start < accountIds.length; start += batchSize) {
    const batch = accountIds.slice(start, start + batchSize);
    const issues = await db.transaction((tx) => issueAll(tx, batch, { templateId, key }));
    if (issues.some(({ result }) => result === 'over')) return refused('its time is over');
    results.issued += issues.filter(({ result }) => result === 'issued').length;
    results.issuedBefore += issues.filter(({ result }) => result === 'issued_before').length;
    const atLimit = issues.filter(({ result }) => result === 'limit_reached');
    results.atLimit.push(...atLimit.map(({ accountId }) => accountId));
  }
  return { result: 'done', ...results };
}

/** Ordered by account id, so that concurrent handouts cannot deadlock. */
async function issueAll(
  tx: Tx,
  accountIds: readonly string[],
  { templateId, key }: { templateId: string; key: string },
) {
  const issues: { accountId: string; result: string }[] = [];
  for (const accountId of accountIds) {
    const issued = await issueCoupon(tx, { accountId, templateId, source: `operator:${key}` });
    issues.push({ accountId, result: issued.result });
  }
  return issues;
}

async function accountsOf(db: Db, receivers: readonly string[]) {
  const names = receivers.map((name) => name.toLowerCase());
  const found = await selectAccountsNamed(db, { ids: names.filter(isId), loginNames: names });
  const byName = new Map(found.map(({ name, account_id }) => [name, account_id]));
  return {
    accountIds: [...new Set(found.map(({ account_id }) => account_id))].toSorted(),
    unknown: names.filter((name) => !byName.has(name)).slice(0, 20),
  };
}

function refused(why: string): Handout {
  return { result: 'refused', why };
}
