// What an operator can do from a shell until there is a console: npm run operate -- help
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { PaymentMethod, RefundReason } from '@pointgate/contract/orders.ts';
import { z } from 'zod';
import {
  countFunnel,
  exportEvents,
  firstPosition,
  isDay,
  isPosition,
} from './analytics/analytics.ts';
import { openShop, type Shop } from './app.ts';
import {
  BulletinImport,
  importBulletin,
  importPage,
  PageImport,
  publishBulletin,
  withdrawBulletin,
  withdrawPage,
} from './bulletins/bulletins.ts';
import { findCase, openCases, resolveCase } from './cases/cases.ts';
import { loadPriceList, PriceList, soldPriceComplaints } from './catalogue/price-list.ts';
import { readConfig } from './config.ts';
import {
  CouponList,
  couponTemplates,
  handOutCoupons,
  loadCoupons,
  Receivers,
} from './coupons/coupon-templates.ts';
import { resumeDelivery } from './delivery/delivery.ts';
import { findOrderKey, requestRefund } from './orders/orders.ts';
import { forgetPasskeys } from './passkeys/passkeys.ts';
import {
  findPeople,
  importPerson,
  isAccount,
  maskedRealName,
  RealNameImport,
  readRealName,
  rotatePersonKeys,
  shredPerson,
} from './people/people.ts';
import type { Db } from './platform/db.ts';
import { AppError } from './platform/errors.ts';
import { isId, newId } from './platform/ids.ts';
import { listPromotions, loadPromotions, PromotionList } from './promotions/promotion-list.ts';
import { queueReconciliation } from './reconciliation/reconciliation.ts';
import { BatchTerms, NewBatch } from './redeem/batch-rules.ts';
import { openCodeHash } from './redeem/code-text.ts';
import {
  type BatchContext,
  importCodes,
  listCodes,
  makeCodes,
  stopCodes,
} from './redeem/redeem.ts';
import { listMethods, switchMethod } from './routing/routing.ts';

const usage = `Usage: npm run operate -- <command>

  cases                                     what somebody has to look at
  case <caseId>                             one of them, whole
  resolve <caseId> --by <name> --note <what was done>
  refund <paymentId> --by <name> --reason <reason>
         [--amount <smallest units>]        all that is left without it
         [--capture <captureId>]            money that does not fit its order
         [--refund-id <uuid>]               the same id twice is one refund
  resend <paymentId> --by <name>
  reconcile <provider> <day, as 2026-11-14>
  import-person <accountId> --by <name>     real-name data, as JSON on standard input
  show-person <accountId> --by <name>       real-name data, masked
  find-person --by <name>                   by phone or identityNumber, as JSON on standard input
  shred-person <accountId> --by <name>      nobody can read it any more, in no copy
  forget-passkeys <accountId> --by <name>   of a player who has lost all devices
  import-bulletin --by <name>               a draft or a change, as JSON on standard input
  import-bulletins --by <name>              a list of them, all or none
  publish <bulletinId>... --by <name>       drafts, or what was withdrawn, all or none
  withdraw <bulletinId>... --by <name>
  import-page --by <name>                   another text of a page, as JSON on standard input
  withdraw-page <siteId> <pageId> --by <name>
  load-prices                               as JSON on standard input, all of them or none
  check-prices                              what no player could ever pay of all that is for sale
  methods                                   what sites offer, what is off or failing, and since when
  method-off <method> --by <name> --reason <why> [--site <siteId>]
                                            nothing begins with it from now on; what has begun goes on
  method-on <method> --by <name> --reason <why> [--site <siteId>]
  load-promotions                           gift rules and rebate campaigns, as JSON on standard input,
                                            all of them or none
  list-promotions                           as they can be loaded again
  load-coupons --by <name>                  templates, as JSON on standard input, all or none
  issue-coupons <templateId> --by <name> --key <name of this handout>
                                            to a JSON list of account ids or login names on
                                            standard input; the same key gives nobody a second one
  list-coupons                              templates, and how many of each are out
  make-codes --by <name>                    a batch by its terms, as JSON on standard input; the codes
                                            are the output, once, and work when it has ended well
  import-codes --by <name> --file <codes>   a batch of codes made elsewhere, one a line, all or none
  stop-codes <batch> --by <name>            they have expired from now on
  list-codes                                batches, and how often they were used
  rotate-person-keys                        then the older key may leave the configuration
  funnel <siteId> <day>                     from arrival to fulfilled, counted anew
  export-events [--after <position>]        what browsers told, one JSON object a line; the
                                            position of the last one is where to go on
                [--amount <how many>]       100000 without it

Reasons: ${Object.values(RefundReason.def.entries).join(', ')}
`;

const Wanted = z.strictObject({
  phone: z.string().nullable().default(null),
  identityNumber: z.string().nullable().default(null),
});

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    by: { type: 'string' },
    note: { type: 'string' },
    reason: { type: 'string' },
    amount: { type: 'string' },
    capture: { type: 'string' },
    'refund-id': { type: 'string' },
    after: { type: 'string' },
    file: { type: 'string' },
    key: { type: 'string' },
    site: { type: 'string' },
  },
});
const [command, first = '', second = ''] = positionals;

/** What the operator asked for is not possible; said in words, without a stack. */
class Refusal extends Error {}

const commands: Record<string, (shop: Shop) => Promise<unknown>> = {
  cases: async ({ db }) => await openCases(db),
  case: async ({ db }) =>
    (isId(first) ? await findCase(db, first) : undefined) ?? refuse(`there is no case ${first}`),
  resolve: async ({ db }) => {
    const resolved = { id: first, by: need('by'), resolution: need('note') };
    const isFirst = await db.transaction((tx) => resolveCase(tx, resolved));
    return isFirst ? { resolved: first } : refuse('there is no such open case');
  },
  refund: async ({ db, effects }) => {
    const refundId = values['refund-id'] ?? newId();
    const key = await orderKey(db);
    const order = await db.transaction((tx) =>
      requestRefund(tx, effects, key, {
        refundId,
        amountMinor: values.amount === undefined ? null : BigInt(values.amount),
        captureId: values.capture ?? null,
        reason: RefundReason.parse(need('reason')),
        by: need('by'),
      }),
    );
    return { refundId, state: order.state };
  },
  resend: async (shop) => {
    const isResumed = await resumeDelivery(shop, await orderKey(shop.db), need('by'));
    return isResumed ? { resent: first } : refuse('nobody has stopped delivering this order');
  },
  'import-person': async ({ db, people }) => {
    if (!isId(first)) refuse(`there is no account ${first}`);
    const data = await readInput(RealNameImport);
    const isKnown = await importPerson(db, people, { accountId: first, data, by: need('by') });
    return isKnown ? { imported: first } : refuse(`there is no account ${first}`);
  },
  'show-person': async ({ db, people }) => {
    const by = need('by');
    if (!isId(first) || !(await isAccount(db, first))) refuse(`there is no account ${first}`);
    return maskedRealName(
      await readRealName(db, people, { accountId: first, by, requestId: null }),
    );
  },
  'find-person': async ({ db, people }) =>
    await findPeople(db, people, { ...(await readInput(Wanted)), by: need('by') }),
  'shred-person': async ({ db }) => {
    const isFirst = isId(first) && (await shredPerson(db, { accountId: first, by: need('by') }));
    return isFirst ? { shredded: first } : refuse('nothing is known of this account');
  },
  'forget-passkeys': async ({ db }) => {
    const by = need('by');
    const forgotten = isId(first) ? await forgetPasskeys(db, { accountId: first, by }) : 0;
    return forgotten > 0 ? { forgotten } : refuse('this account has no passkey');
  },
  'import-bulletin': async ({ db }) => {
    const bulletin = await readInput(BulletinImport);
    const done = await db.transaction((tx) => importBulletin(tx, bulletin, hand()));
    return done === 'unknown_site' ? refuse('there is no such site') : done;
  },
  'import-bulletins': async ({ db }) => {
    const bulletins = await readInput(z.array(BulletinImport).min(1).max(1_000));
    return await db.transaction(async (tx) => {
      const removed: Record<string, unknown> = {};
      for (const bulletin of bulletins) {
        const done = await importBulletin(tx, bulletin, hand());
        if (done === 'unknown_site') refuse(`${bulletin.id}: there is no such site`);
        else removed[bulletin.id] = done.removed;
      }
      return { imported: bulletins.length, removed };
    });
  },
  publish: async ({ db }) => ({ published: await changeEach(db, publishBulletin) }),
  withdraw: async ({ db }) => ({ withdrawn: await changeEach(db, withdrawBulletin) }),
  'import-page': async ({ db }) => {
    const page = await readInput(PageImport);
    const done = await db.transaction((tx) => importPage(tx, page, hand()));
    if (done === 'in_the_past') return refuse('what was shown in the past stays as it was');
    return done === 'unknown_site' ? refuse('there is no such site') : done;
  },
  'withdraw-page': async ({ db }) => {
    const page = { siteId: first, pageId: second };
    return { version: await db.transaction((tx) => withdrawPage(tx, page, hand())) };
  },
  'load-prices': async (shop) => {
    const { complaints } = await loadPriceList(shop, await readInput(PriceList));
    return complaints.length === 0 ? { loaded: true } : refuse(complaints.join('\n'));
  },
  'check-prices': async ({ db, sites }) => {
    const complaints = await soldPriceComplaints(db, await sites.all());
    return complaints.length === 0 ? { complaints } : refuse(complaints.join('\n'));
  },
  methods: async ({ routing, sites }) => await listMethods(routing, await sites.all()),
  'method-off': async (shop) => await turnSwitch(shop, false),
  'method-on': async (shop) => await turnSwitch(shop, true),
  'load-promotions': async (shop) => {
    const { complaints } = await loadPromotions(shop, await readInput(PromotionList));
    return complaints.length === 0 ? { loaded: true } : refuse(complaints.join('\n'));
  },
  'list-promotions': async ({ db }) => await listPromotions(db),
  'load-coupons': async (shop) => {
    const list = await readInput(CouponList);
    const { complaints, loaded } = await loadCoupons(shop, list, need('by'));
    return complaints.length === 0 ? { loaded } : refuse(complaints.join('\n'));
  },
  'issue-coupons': async ({ db }) => {
    const [key, by] = [need('key'), need('by')];
    const receivers = await readInput(Receivers);
    const done = await handOutCoupons(db, { templateId: first, key, receivers, by });
    return done.result === 'done' ? done : refuse(done.why);
  },
  'list-coupons': async ({ db }) => await couponTemplates(db),
  'make-codes': async (shop) => {
    const batch = await readInput(NewBatch);
    const made = await makeCodes(codesOf(shop), { batch, by: need('by') }, print);
    if ('complaints' in made) refuse(made.complaints.join('\n'));
  },
  'import-codes': async (shop) => {
    const [terms, by, file] = [await readInput(BatchTerms), need('by'), need('file')];
    const codes = await readFile(file, 'utf8').catch(() => refuse(`${file} cannot be read`));
    const made = await importCodes(codesOf(shop), { terms, by }, codes);
    return 'complaints' in made ? refuse(made.complaints.join('\n')) : made;
  },
  'stop-codes': async ({ db }) => {
    const isThere = await stopCodes(db, { name: first, by: need('by') });
    return isThere ? { stopped: first } : refuse(`there is no batch ${first}`);
  },
  'list-codes': async ({ db }) => await listCodes(db),
  'rotate-person-keys': async ({ db, people }) => ({
    rewrapped: await rotatePersonKeys(db, people),
  }),
  funnel: async ({ analytics }) => {
    if (!isDay(second)) refuse('a day looks like 2026-11-14');
    const funnel = await countFunnel(analytics, { siteId: first, day: second });
    return funnel ?? refuse(`there is no site ${first}`);
  },
  'export-events': async ({ db }) => {
    const { after = firstPosition, amount = '100000' } = values;
    if (!isPosition(after)) refuse(`${after} is no position`);
    if (!/^[1-9]\d{0,8}$/.test(amount)) refuse(`${amount} is no number of events`);
    for await (const event of exportEvents(db, { after, eventsMax: Number(amount) })) {
      await print(`${JSON.stringify(event)}\n`);
    }
  },
  reconcile: async ({ payments }) => {
    await queueReconciliation(payments, { psp: first, day: second });
    return { queued: `${first} ${second}` };
  },
};

const run = command === undefined ? undefined : commands[command];
if (run === undefined) {
  process.stderr.write(usage);
  process.exitCode = 2;
} else await operate(run);

async function operate(work: (shop: Shop) => Promise<unknown>): Promise<void> {
  const shop = await openShop(readConfig(), 'api');
  try {
    const answer = await work(shop);
    // What can be long is written while it is read, and there is nothing to add to it.
    if (answer !== undefined) process.stdout.write(`${JSON.stringify(answer, undefined, 2)}\n`);
  } catch (error) {
    if (!(error instanceof AppError || error instanceof Refusal)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  } finally {
    await shop.close();
  }
}

function refuse(why: string): never {
  throw new Refusal(why);
}

function need(name: 'by' | 'note' | 'reason' | 'key' | 'file'): string {
  return values[name] ?? refuse(`--${name} is missing`);
}

/** All that are named, or none of them. */
async function changeEach(db: Db, change: typeof publishBulletin): Promise<string[]> {
  const bulletinIds = positionals.slice(1);
  if (bulletinIds.length === 0) refuse('no bulletin is named');
  await db.transaction(async (tx) => {
    for (const bulletinId of bulletinIds) {
      const isThere = await change(tx, bulletinId, hand());
      if (!isThere) refuse(`there is no bulletin ${bulletinId}`);
    }
  });
  return bulletinIds;
}

/** At one site or everywhere. Answers how the method stands at each site then. */
async function turnSwitch({ db, sites, routing }: Shop, isOn: boolean) {
  const method = PaymentMethod.safeParse(first).data ?? refuse(`there is no method ${first}`);
  const { site: siteId = null } = values;
  if (siteId !== null && (await sites.byId(siteId)) === undefined) {
    refuse(`there is no site ${siteId}`);
  }
  const turned = { method, siteId, isOn, reason: need('reason'), ...hand() };
  await db.transaction((tx) => switchMethod(tx, turned));
  const { methods } = await listMethods(routing, await sites.all());
  return methods.filter((each) => each.method === method);
}

/** Waits for whoever reads. */
async function print(output: string): Promise<void> {
  if (!process.stdout.write(output)) await once(process.stdout, 'drain');
}

function codesOf({ db, sites, config }: Shop): BatchContext {
  const key = config.REDEEM_CODE_KEY ?? refuse('REDEEM_CODE_KEY is not set');
  return { db, sites, hashOf: openCodeHash(key) };
}

function hand(): { by: string; at: Date } {
  return { by: need('by'), at: new Date() };
}

/** On standard input and not as an argument, which would stay in the history of the shell. */
async function readInput<T>(schema: z.ZodType<T>): Promise<T> {
  const input = schema.safeParse(parseJson(await text(process.stdin)));
  if (input.success) return input.data;
  // Which fields are wrong, and never what they say.
  return refuse(`not usable: ${input.error.issues.map(({ path }) => path.join('.')).join(', ')}`);
}

function parseJson(input: string): unknown {
  try {
    return JSON.parse(input);
  } catch {
    return refuse('standard input is not JSON');
  }
}

async function orderKey(db: Db) {
  const key = isId(first) ? await findOrderKey(db, first) : undefined;
  return key ?? refuse(`there is no order ${first}`);
}
