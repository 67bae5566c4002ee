import { z } from 'zod';
import {
  accountChanges,
  reinstateAccount,
  signOutEverywhere,
  suspendAccount,
} from '../people/accounts/account-states.ts';
import { rotateAddressKeys } from '../people/accounts/addresses.ts';
import { tellOwner } from '../people/notices/notices.ts';
import { forgetPasskeys } from '../people/passkeys/passkeys.ts';
import { eraseAccount, exportAccount } from '../people/privacy/privacy.ts';
import {
  findPeople,
  importPerson,
  isAccount,
  maskedRealName,
  RealNameImport,
  readRealName,
  rotatePersonKeys,
  shredPerson,
} from '../people/real-names/real-names.ts';
import { isId } from '../platform/ids.ts';
import type { Shop } from '../wiring/app.ts';
import { type Call, refuse } from './operator-call.ts';

const Wanted = z.strictObject({
  phone: z.string().nullable().default(null),
  identityNumber: z.string().nullable().default(null),
});

type Change = typeof suspendAccount;

/** Commands on an account and the personal data of its player. */
export const accountCommands = {
  'import-person': async ({ db, people }: Shop, { first, need, readInput }: Call) => {
    if (!isId(first)) refuse(`there is no account ${first}`);
    const data = await readInput(RealNameImport);
    const isKnown = await importPerson(db, people, { accountId: first, data, by: need('by') });
    return isKnown ? { imported: first } : refuse(`there is no account ${first}`);
  },
  'show-person': async ({ db, people }: Shop, { first, need }: Call) => {
    const by = need('by');
    if (!isId(first) || !(await isAccount(db, first))) refuse(`there is no account ${first}`);
    return maskedRealName(
      await readRealName(db, people, { accountId: first, by, requestId: null }),
    );
  },
  'find-person': async ({ db, people }: Shop, { need, readInput }: Call) =>
    await findPeople(db, people, { ...(await readInput(Wanted)), by: need('by') }),
  'shred-person': async ({ db }: Shop, { first, need }: Call) => {
    const shredded = { accountId: first, by: need('by') };
    const isFirst = isId(first) && (await db.transaction((tx) => shredPerson(tx, shredded)));
    return isFirst ? { shredded: first } : refuse('nothing is known of this account');
  },
  'rotate-person-keys': async ({ db, people }: Shop) => ({
    rewrapped: (await rotatePersonKeys(db, people)) + (await rotateAddressKeys(db, people)),
  }),
  'forget-passkeys': async ({ db, notices }: Shop, { first, need }: Call) => {
    const by = need('by');
    const context: Parameters<typeof forgetPasskeys>[0] = {
      db,
      tellOwner: (tx, change) => tellOwner(tx, notices, change),
    };
    const forgotten = isId(first) ? await forgetPasskeys(context, { accountId: first, by }) : 0;
    return forgotten > 0 ? { forgotten } : refuse('this account has no passkey');
  },
  account: async ({ db }: Shop, { first }: Call) => {
    if (!isId(first) || !(await isAccount(db, first))) refuse(`there is no account ${first}`);
    return { changes: await accountChanges(db, first) };
  },
  suspend: changing(suspendAccount, 'is suspended or erased already'),
  reinstate: changing(reinstateAccount, 'is not suspended'),
  'sign-out': changing(signOutEverywhere, 'is open to nobody'),
  'erase-account': async ({ db }: Shop, { first, need }: Call) => {
    const erasure = { accountId: first, by: need('by'), reason: need('reason') };
    const done = isId(first) ? await eraseAccount(db, erasure) : 'not_there';
    if (done === 'unfinished') refuse('an order of the account is not over: refund it, or wait');
    if (done === 'not_there') refuse(`there is no account ${first} that is not erased`);
    return { erased: first };
  },
  'export-account': async ({ db, people }: Shop, { first, need, print }: Call) => {
    const by = need('by');
    if (!isId(first) || !(await isAccount(db, first))) refuse(`there is no account ${first}`);
    const asked = { accountId: first, by, requestId: null, isMasked: false };
    for await (const part of exportAccount(db, people, asked)) await print(part);
  },
};

function changing(change: Change, otherwise: string) {
  return async ({ db }: Shop, { first, need }: Call) => {
    const asked = { accountId: first, by: need('by'), reason: need('reason') };
    const isDone = isId(first) && (await change(db, asked));
    if (isDone) return { changes: await accountChanges(db, first) };
    const isThere = isId(first) && (await isAccount(db, first));
    return refuse(isThere ? `the account ${otherwise}` : `there is no account ${first}`);
  };
}
