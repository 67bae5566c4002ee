import { readFile } from 'node:fs/promises';
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
import { archiveMonth, listArchives, restoreMonth } from './archive/archive.ts';
import { listAudits } from './audits/audits.ts';
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
import { accountCommands } from './operator-accounts.ts';
import { moveMonth, orderKey, refuseArchivedDay } from './operator-archive.ts';
import { audit } from './operator-audit.ts';
import { type Call, Refusal, readCall, refuse, type Terminal } from './operator-call.ts';
import { reportMonth } from './operator-report.ts';
import { serverCommands } from './operator-servers.ts';
import { requestRefund } from './orders/orders.ts';
import type { Db } from './platform/db.ts';
import { AppError } from './platform/errors.ts';
import { isId, newId } from './platform/ids.ts';
import { log } from './platform/log.ts';
import { eraseInMonth } from './privacy/privacy.ts';
import { listPromotions, loadPromotions, PromotionList } from './promotions/promotion-list.ts';
import { queueReconciliation, recordOutsideRefund } from './reconciliation/reconciliation.ts';
import { BatchTerms, NewBatch } from './redeem/batch-rules.ts';
import { openCodeHash } from './redeem/code-text.ts';
import {
  type BatchContext,
  importCodes,
  listCodes,
  makeCodes,
  stopCodes,
} from './redeem/redeem.ts';
import { isContractFor } from './routing/contracts.ts';
import { listMethods, switchMethod } from './routing/routing.ts';
import { changeContract, sitesIn } from './sites/sites.ts';

const usage = `Usage: npm run operate -- <command>

  cases                                     what somebody has to look at
  case <caseId>                             one of them, whole
  resolve <caseId> --by <name> --note <what was done>
  refund <paymentId> --by <name> --reason <reason>
         [--amount <smallest units>]        all that is left without it; needs --refund-id
         [--capture <captureId>]            money that does not fit its order
         [--refund-id <uuid>]               the same id twice is one refund
  resend <paymentId> --by <name>
  record-refund <paymentId> --reference <the provider's id> --by <name>
                                            one that was made on the provider's own pages; it has to be
                                            proven by the provider's answer or its daily file
  reconcile <contract> <day, as 2026-11-14>
  import-person <accountId> --by <name>     real-name data, as JSON on standard input
  show-person <accountId> --by <name>       real-name data, masked
  find-person --by <name>                   by phone or identityNumber, as JSON on standard input
  shred-person <accountId> --by <name>      nobody can read it any more, in no copy
  forget-passkeys <accountId> --by <name>   of a player who has lost all devices
  account <accountId>                       what was done to it, by whom and why
  suspend <accountId> --by <name> --reason <why>
                                            nobody is signed in any more, and nobody can sign in; what was
                                            bought is delivered
  reinstate <accountId> --by <name> --reason <why>
  sign-out <accountId> --by <name> --reason <why>
                                            on all sites; the player can sign in again
  export-account <accountId> --by <name>    all that is kept of it, real-name data in full, as one JSON object
  erase-account <accountId> --by <name> --reason <why>
                                            whose it was; what was bought stays in the books, as nobody's
  import-bulletin --by <name>               a draft or a change, as JSON on standard input
  import-bulletins --by <name>              a list of them, all or none
  publish <bulletinId>... --by <name>       drafts, or what was withdrawn, all or none
  withdraw <bulletinId>... --by <name>
  import-page --by <name>                   another text of a page, as JSON on standard input
  withdraw-page <siteId> <pageId> --by <name>
  load-prices                               as JSON on standard input, all of them or none
  check-prices                              what no player could ever pay of all that is for sale
  methods                                   what sites offer, through which contracts, what is off or
                                            failing, and since when
  method-off <method> --by <name> --reason <why> [--site <siteId>]
                                            nothing begins with it from now on; what has begun goes on
  method-on <method> --by <name> --reason <why> [--site <siteId>]
  site-contract <siteId> <method> <contract, or default> --by <name> --reason <why>
                                            what begins from now on is paid into that account
  servers                                   of all games: the status of each, who changed it last, and why
  server-maintenance <gameId> <serverId> --by <name> --reason <why>
                                            from now on nobody can top up there, and paid orders wait
  server-open <gameId> <serverId> --by <name> --reason <why>
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

  archive <month, as 2025-01> --folder <where to> --by <name>
                                            writes all orders of that month to files and takes them out
                                            of the shop; interrupted, the same command goes on
  restore <month> --folder <where from> --by <name>
                                            puts them back
  archives                                  what was archived, when, by whom, and where it is

  audit --by <name> [--database <address>]  whether all tables are in order; of a replica, or as a user who
                                            may only read, with the address of another database
        [--month <as 2026-10>]...           only orders of these months, and their settlement
        [--ask-games]                       compares with what the games in GAMES_WITH_LIST say that they gave
        [--ask-providers]                   compares with what Stripe and PayPal say that they took and gave back
                                            ends with 0 if all is in order, with 1 if it is not, with 2 if
                                            it could not be read or somebody could not be asked
  audits                                    what was found, the last one first

  report --month <month> [--folder <where to>]
                                            the books of a month as CSV files; in report-<month> without a folder

Reasons: ${Object.values(RefundReason.def.entries).join(', ')}
`;

const commands: Record<string, (shop: Shop, call: Call) => Promise<unknown>> = {
  cases: async ({ db }) => await openCases(db),
  case: async ({ db }, { first }) =>
    (isId(first) ? await findCase(db, first) : undefined) ?? refuse(`there is no case ${first}`),
  resolve: async ({ db }, { first, need }) => {
    const resolved = { id: first, by: need('by'), resolution: need('note') };
    const isFirst = await db.transaction((tx) => resolveCase(tx, resolved));
    return isFirst ? { resolved: first } : refuse('there is no such open case');
  },
  refund: async ({ db, effects }, { first, values, need }) => {
    // All that is left is gone after the first time; a part would go a second time.
    if (values.amount !== undefined && values['refund-id'] === undefined) {
      refuse(`a part needs an id, so that asking twice is one refund: --refund-id ${newId()}`);
    }
    const refundId = values['refund-id'] ?? newId();
    const key = await orderKey(db, first);
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
  resend: async (shop, { first, need }) => {
    const isResumed = await resumeDelivery(shop, await orderKey(shop.db, first), need('by'));
    return isResumed ? { resent: first } : refuse('nobody has stopped delivering this order');
  },
  'import-bulletin': async ({ db }, { hand, readInput }) => {
    const bulletin = await readInput(BulletinImport);
    const done = await db.transaction((tx) => importBulletin(tx, bulletin, hand()));
    return done === 'unknown_site' ? refuse('there is no such site') : done;
  },
  'import-bulletins': async ({ db }, { hand, readInput }) => {
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
  publish: async ({ db }, call) => ({ published: await changeEach(db, call, publishBulletin) }),
  withdraw: async ({ db }, call) => ({ withdrawn: await changeEach(db, call, withdrawBulletin) }),
  'import-page': async ({ db }, { hand, readInput }) => {
    const page = await readInput(PageImport);
    const done = await db.transaction((tx) => importPage(tx, page, hand()));
    if (done === 'in_the_past') return refuse('what was shown in the past stays as it was');
    return done === 'unknown_site' ? refuse('there is no such site') : done;
  },
  'withdraw-page': async ({ db }, { first, second, hand }) => {
    const page = { siteId: first, pageId: second };
    return { version: await db.transaction((tx) => withdrawPage(tx, page, hand())) };
  },
  'load-prices': async (shop, { readInput }) => {
    const { complaints } = await loadPriceList(shop, await readInput(PriceList));
    return complaints.length === 0 ? { loaded: true } : refuse(complaints.join('\n'));
  },
  'check-prices': async ({ db, sites }) => {
    const complaints = await soldPriceComplaints(db, await sites.all());
    return complaints.length === 0 ? { complaints } : refuse(complaints.join('\n'));
  },
  methods: async ({ routing, sites }) => await listMethods(routing, await sites.all()),
  'method-off': async (shop, call) => await turnSwitch(shop, call, false),
  'method-on': async (shop, call) => await turnSwitch(shop, call, true),
  'site-contract': async (shop, call) => await chooseContract(shop, call),
  ...serverCommands,
  'load-promotions': async (shop, { readInput }) => {
    const { complaints } = await loadPromotions(shop, await readInput(PromotionList));
    return complaints.length === 0 ? { loaded: true } : refuse(complaints.join('\n'));
  },
  'list-promotions': async ({ db }) => await listPromotions(db),
  'load-coupons': async (shop, { need, readInput }) => {
    const list = await readInput(CouponList);
    const { complaints, loaded } = await loadCoupons(shop, list, need('by'));
    return complaints.length === 0 ? { loaded } : refuse(complaints.join('\n'));
  },
  'issue-coupons': async ({ db }, { first, need, readInput }) => {
    const [key, by] = [need('key'), need('by')];
    const receivers = await readInput(Receivers);
    const done = await handOutCoupons(db, { templateId: first, key, receivers, by });
    return done.result === 'done' ? done : refuse(done.why);
  },
  'list-coupons': async ({ db }) => await couponTemplates(db),
  'make-codes': async (shop, { need, readInput, print }) => {
    const batch = await readInput(NewBatch);
    const made = await makeCodes(codesOf(shop), { batch, by: need('by') }, print);
    if ('complaints' in made) refuse(made.complaints.join('\n'));
  },
  'import-codes': async (shop, { need, readInput }) => {
    const [terms, by, file] = [await readInput(BatchTerms), need('by'), need('file')];
    const codes = await readFile(file, 'utf8').catch(() => refuse(`${file} cannot be read`));
    const made = await importCodes(codesOf(shop), { terms, by }, codes);
    return 'complaints' in made ? refuse(made.complaints.join('\n')) : made;
  },
  'stop-codes': async ({ db }, { first, need }) => {
    const isThere = await stopCodes(db, { name: first, by: need('by') });
    return isThere ? { stopped: first } : refuse(`there is no batch ${first}`);
  },
  'list-codes': async ({ db }) => await listCodes(db),
  funnel: async ({ analytics }, { first, second }) => {
    if (!isDay(second)) refuse('a day looks like 2026-11-14');
    const funnel = await countFunnel(analytics, { siteId: first, day: second });
    return funnel ?? refuse(`there is no site ${first}`);
  },
  'export-events': async ({ db }, { values, print }) => {
    const { after = firstPosition, amount = '100000' } = values;
    if (!isPosition(after)) refuse(`${after} is no position`);
    if (!/^[1-9]\d{0,8}$/.test(amount)) refuse(`${amount} is no number of events`);
    for await (const event of exportEvents(db, { after, eventsMax: Number(amount) })) {
      await print(`${JSON.stringify(event)}\n`);
    }
  },
  'record-refund': async ({ db, payments }, { first, need }) => {
    const key = await orderKey(db, first);
    const [reference, by] = [need('reference'), need('by')];
    const recorded = await recordOutsideRefund(payments, key, reference);
    if (recorded === undefined) {
      refuse(
        `neither the provider nor its daily files know of a refund ${reference} of this order`,
      );
    }
    log.info({ ...key, reference, by }, 'a refund that was made outside was recorded');
    return recorded;
  },
  reconcile: async ({ db, payments }, { first, second }) => {
    if (!payments.providers.has(first)) refuse(`there is no contract ${first}`);
    await refuseArchivedDay(db, second);
    await queueReconciliation(payments, { psp: first, day: second });
    return { queued: `${first} ${second}` };
  },
  ...accountCommands,
  archive: async (shop, call) => await moveMonth(shop, call, archiveMonth),
  restore: async (shop, call) => {
    const done = await moveMonth(shop, call, restoreMonth);
    await eraseInMonth(shop.db, call.first);
    return done;
  },
  archives: async ({ db }) => await listArchives(db),
  audit,
  audits: async ({ db }) => await listAudits(db),
  report: reportMonth,
};

/** Does what a command line says, and answers with what status its program ends. */
export async function operate(terminal: Terminal): Promise<number> {
  const call = readCall(terminal);
  const run = call.command === undefined ? undefined : commands[call.command];
  if (run === undefined) {
    terminal.stderr.write(usage);
    return 2;
  }
  const shop = await openShop(readConfig(terminal.environment), 'api');
  try {
    const answer = await run(shop, call);
    // What can be long is written while it is read, and there is nothing to add to it.
    if (answer !== undefined) terminal.stdout.write(`${JSON.stringify(answer, undefined, 2)}\n`);
    return 0;
  } catch (error) {
    if (!(error instanceof AppError || error instanceof Refusal)) throw error;
    terminal.stderr.write(`${error.message}\n`);
    return error instanceof Refusal ? error.status : 1;
  } finally {
    await shop.close();
  }
}

/** All that are named, or none of them. */
async function changeEach(
  db: Db,
  { named: bulletinIds, hand }: Call,
  change: typeof publishBulletin,
) {
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
async function turnSwitch({ db, sites, routing }: Shop, call: Call, isOn: boolean) {
  const { first, values, need, hand } = call;
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

/** Answers how the methods of the site stand then. */
async function chooseContract({ db, routing }: Shop, call: Call) {
  const { first, second, third, need, hand } = call;
  const method = PaymentMethod.safeParse(second).data ?? refuse(`there is no method ${second}`);
  if (method === 'epoint') return refuse('points are taken by the shop itself');
  const contract = third === 'default' ? null : third;
  if (contract !== null && !isContractFor(routing.providers, contract, method)) {
    refuse(`there is no contract ${contract} for ${method}`);
  }
  const changed = { siteId: first, method, contract, reason: need('reason'), ...hand() };
  const sites = await db.transaction(async (tx) =>
    (await changeContract(tx, changed)) ? await sitesIn(tx) : refuse(`there is no site ${first}`),
  );
  const { methods } = await listMethods(routing, sites);
  return methods.filter(({ siteId }) => siteId === first);
}

function codesOf({ db, sites, config }: Shop): BatchContext {
  const key = config.REDEEM_CODE_KEY ?? refuse('REDEEM_CODE_KEY is not set');
  return { db, sites, hashOf: openCodeHash(key) };
}
