import { readFile } from 'node:fs/promises';
import { PaymentMethod, RefundReason } from '@pointgate/contract/orders.ts';
import { z } from 'zod';
import {
  countFunnel,
  exportEvents,
  firstPosition,
  isDay,
  isPosition,
} from '../analytics/analytics.ts';
import {
  BulletinImport,
  importBulletin,
  importPage,
  PageImport,
  publishBulletin,
  withdrawBulletin,
  withdrawPage,
} from '../catalogue/bulletins/bulletins.ts';
import { loadPriceList, PriceList, soldPriceComplaints } from '../catalogue/price-list.ts';
import { BatchTerms, NewBatch } from '../checkout/redeem/batch-rules.ts';
import { openCodeHash } from '../checkout/redeem/code-text.ts';
import {
  type BatchContext,
  importCodes,
  listCodes,
  makeCodes,
  stopCodes,
} from '../checkout/redeem/redeem.ts';
import { resumeDelivery } from '../delivery/delivery.ts';
import { archiveMonth, listArchives, restoreMonth } from '../money/archive/archive.ts';
import { findCase, openCases, resolveCase } from '../money/cases/cases.ts';
import { requestRefund } from '../money/orders/orders.ts';
import {
  queueReconciliation,
  recordOutsideRefund,
} from '../money/reconciliation/reconciliation.ts';
import { isContractFor } from '../money/routing/contracts.ts';
import { listMethods, switchMethod } from '../money/routing/routing.ts';
import {
  CouponList,
  couponTemplates,
  handOutCoupons,
  loadCoupons,
  Receivers,
} from '../offers/coupons/coupon-templates.ts';
import {
  listPromotions,
  loadPromotions,
  PromotionList,
} from '../offers/promotions/promotion-list.ts';
import { eraseInMonth } from '../people/privacy/privacy.ts';
import { type Db, isUnreachable } from '../platform/db.ts';
import { AppError } from '../platform/errors.ts';
import { isId, newId } from '../platform/ids.ts';
import { log } from '../platform/log.ts';
import { changeContract, sitesIn } from '../publisher/sites/sites.ts';
import { openShop, type Shop } from '../wiring/app.ts';
import { readConfig, UnusableConfig } from '../wiring/config.ts';
import { listAudits } from './audits/audits.ts';
import { accountCommands } from './operator-accounts.ts';
import { moveMonth, orderKey, refuseArchivedDay } from './operator-archive.ts';
import { audit } from './operator-audit.ts';
import { type Call, Refusal, readCall, refuse, type Terminal } from './operator-call.ts';
import { nearestNames } from './operator-nearest.ts';
import { reportMonth } from './operator-report.ts';
import { serverCommands } from './operator-servers.ts';
import { usage } from './operator-usage.ts';

const commands: Record<string, (shop: Shop, call: Call) => Promise<unknown>> = {
  cases: async ({ db }) => await openCases(db),
  case: async ({ db }, { first }) =>
    (isId(first) ? await findCase(db, first) : undefined) ?? refuse(`there is no case ${first}`),
  resolve: async ({ db }, { first, need }) => {
    const resolved = { id: first, by: need('by'), resolution: need('note') };
    const isFirst = isId(first) && (await db.transaction((tx) => resolveCase(tx, resolved)));
    return isFirst ? { resolved: first } : refuse('there is no such open case');
  },
  refund: async ({ db, effects }, { first, values, need }) => {
    const reason = readReason(need('reason'));
    const amountMinor = values.amount === undefined ? null : readMinor(values.amount);
    if (values['refund-id'] !== undefined && !isId(values['refund-id'])) {
      refuse(`--refund-id ${values['refund-id']} is no id, such as ${newId()}`, 2);
    }
    // A refund of the rest cannot happen twice, but a repeated partial refund would.
    if (values.amount !== undefined && values['refund-id'] === undefined) {
      refuse(`a part needs an id, so that asking twice is one refund: --refund-id ${newId()}`);
    }
    const refundId = values['refund-id'] ?? newId();
    const key = await orderKey(db, first);
    const order = await db.transaction((tx) =>
      requestRefund(tx, effects, key, {
        refundId,
        amountMinor,
        captureId: values.capture ?? null,
        reason,
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
    if (!isDay(second)) refuse(`${second} is no day as 2026-11-14 is`, 2);
    const funnel = await countFunnel(analytics, { siteId: first, day: second });
    return funnel ?? refuse(`there is no site ${first}`);
  },
  'export-events': async ({ db }, { values, print }) => {
    const { after = firstPosition, amount = '100000' } = values;
    if (!isPosition(after)) refuse(`${after} is no position`, 2);
    if (!/^[1-9]\d{0,8}$/.test(amount)) refuse(`${amount} is no number of events`, 2);
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
    if (!isDay(second)) refuse(`${second} is no day as 2026-11-14 is`, 2);
    if (second > new Date().toISOString()) refuse(`${second} has not begun yet`, 2);
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

/** Runs a command line and returns the exit status. */
export async function operate(terminal: Terminal): Promise<number> {
  try {
    return await runCommand(terminal);
  } catch (error) {
    const refusal = refusalOf(error);
    terminal.stderr.write(`${refusal.message}\n`);
    return refusal.status;
  }
}

async function runCommand(terminal: Terminal): Promise<number> {
  const call = readCall(terminal);
  const { command, values } = call;
  if (values.help === true || command === 'help') {
    terminal.stdout.write(usage);
    return 0;
  }
  if (command === undefined) refuse(usage.trimEnd(), 2);
  const run = Object.hasOwn(commands, command) ? commands[command] : undefined;
  if (run === undefined) return refuse(unknownCommand(command), 2);
  const shop = await openShop(readConfig(terminal.environment), 'api');
  try {
    const answer = await run(shop, call);
    // Long output is written while it is produced, and then there is no answer to print.
    if (answer !== undefined) terminal.stdout.write(`${JSON.stringify(answer, undefined, 2)}\n`);
    return 0;
  } finally {
    await shop.close();
  }
}

function unknownCommand(command: string): string {
  const nearest = nearestNames(command, Object.keys(commands));
  const hint = nearest.length === 0 ? '' : ` The nearest: ${nearest.join(', ')}.`;
  return `There is no command ${command}.${hint} All of them: npm run operate -- help`;
}

/** The message for expected errors. Any other error is a bug and keeps its stack trace. */
function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof AppError) return new Refusal(error.message);
  if (error instanceof UnusableConfig) return new Refusal(error.message, 2);
  if (isUnreachable(error)) {
    return new Refusal("The shop's database cannot be reached. Is DATABASE_URL right?", 2);
  }
  throw error;
}

function readReason(text: string): RefundReason {
  const reasons = Object.values(RefundReason.def.entries);
  return (
    RefundReason.safeParse(text).data ??
    refuse(`--reason ${text} is no reason; these are: ${reasons.join(', ')}`, 2)
  );
}

function readMinor(text: string): bigint {
  if (!/^[1-9]\d{0,14}$/.test(text)) {
    refuse(`--amount ${text} is no amount: it is in smallest units, 50 for 0.50 USD`, 2);
  }
  return BigInt(text);
}

/** Changes all named rows in one transaction, or none. */
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

/** At one site or at all. Returns the state of the method at each site. */
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

/** Returns the state of the methods at the site. */
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
