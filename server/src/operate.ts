// What an operator can do from a shell until there is a console: npm run operate -- help
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { RefundReason } from '@pointgate/contract/orders.ts';
import { z } from 'zod';
import { openShop, type Shop } from './app.ts';
import { findCase, openCases, resolveCase } from './cases/cases.ts';
import { readConfig } from './config.ts';
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
import { queueReconciliation } from './reconciliation/reconciliation.ts';

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
  rotate-person-keys                        then the older key may leave the configuration

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
  'rotate-person-keys': async ({ db, people }) => ({
    rewrapped: await rotatePersonKeys(db, people),
  }),
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
    process.stdout.write(`${JSON.stringify(await work(shop), undefined, 2)}\n`);
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

function need(name: 'by' | 'note' | 'reason'): string {
  return values[name] ?? refuse(`--${name} is missing`);
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
