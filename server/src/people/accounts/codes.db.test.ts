import type { CodePurpose } from '@pointgate/contract/codes.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  givenMember,
  openTestCodes,
  solve,
  startClock,
  type TestCodes,
  type TestMember,
  testBrowser,
  type VirtualClock,
} from '../../../test/codes.ts';
import { openTestDb } from '../../../test/database.ts';
import { effort } from '../../../test/effort.ts';
import { testIdentityKeyOf } from '../../../test/identities.ts';
import { type Db, sql } from '../../platform/db.ts';
import { log } from '../../platform/log.ts';
import type { CodeRequest, Target } from './codes.ts';
import { openHumanProofs } from './human-proof.ts';
import { upsertKnownNetwork } from './known-places.queries.ts';

let db: Db;
let close: () => Promise<void>;
beforeAll(async () => {
  log.level = 'silent';
  ({ db, close } = await openTestDb());
});
afterAll(() => close());

let clock: VirtualClock;
let own: TestCodes;
let member: TestMember;
beforeEach(async () => {
  await db.transaction(async (tx) => {
    await tx.run(sql`delete from limit_counters`);
    await tx.run(sql`delete from codes`);
    await tx.run(sql`delete from identities`);
  });
  clock = startClock();
  own = openTestCodes({ db, clock });
  member = await givenMember(db);
});

let networks = 0;
const newNetwork = () => {
  networks += 1;
  return `10.${networks >> 8}.${networks & 255}.0/24`;
};

const mail = (to: string): Target => ({ kind: 'mail', to });
const text = (to: string, country = 'US'): Target => ({ kind: 'text', to, country });
const purposeOf = ({ kind }: Target) =>
  kind === 'mail' ? 'password_forget_email' : 'phone_foreign';

const ask = async (target: Target, changes: Partial<CodeRequest> = {}) => {
  const reply = await own.codes.send({
    purpose: purposeOf(target),
    target,
    network: newNetwork(),
    browser: testBrowser,
    proof: null,
    locale: 'en-US',
    siteTitle: 'Solmere',
    ...changes,
  });
  await own.codes.settle();
  return reply;
};
const askProven = async (target: Target, changes: Partial<CodeRequest> = {}) =>
  await ask(target, { proof: await own.prove(), ...changes });
const guess = (
  target: Target,
  code: string,
  { purpose = purposeOf(target), browser = testBrowser }: Guessing = {},
) => db.transaction((tx) => own.codes.use(tx, { purpose, to: target.to, code, browser }));
interface Guessing {
  purpose?: CodePurpose;
  browser?: string;
}
const notThis = (code: string) => (code === '000000' ? '000001' : '000000');

const little = { cost: 10, counterMin: 1, counterMax: 5 };
const tooOften = { code: 'AuthCodeSendTooFrequently' };
const proofNeeded = { code: 'HumanProofNeeded' };

describe('one-time codes', () => {
  test('a one-time code has six digits and works once, only for its purpose and its mail address or phone number', async () => {
    const target = mail(member.email);
    expect(await ask(target)).toEqual({ nextInSeconds: 60 });
    const code = own.outbox.codeFor(member.email);
    expect(code).toMatch(/^\d{6}$/);
    expect(await guess(mail('other@example.com'), code)).toBe(false);
    expect(await guess(target, code, { purpose: 'phone_foreign' })).toBe(false);
    expect(await guess(target, code)).toBe(true);
    expect(await guess(target, code)).toBe(false);
  });

  test('a one-time code expires after five minutes', async () => {
    const target = text(member.phone);
    await ask(target);
    clock.pass({ seconds: 299 });
    expect(await guess(target, own.outbox.codeFor(member.phone))).toBe(true);
    await askProven(target);
    clock.pass({ seconds: 300 });
    expect(await guess(target, own.outbox.codeFor(member.phone))).toBe(false);
  });

  test('a one-time code is invalidated by the next code for the same mail address or phone number', async () => {
    const target = mail(member.email);
    await ask(target);
    const first = own.outbox.codeFor(member.email);
    clock.pass({ seconds: 60 });
    await askProven(target);
    const second = own.outbox.codeFor(member.email);
    if (first !== second) expect(await guess(target, first)).toBe(false);
    expect(await guess(target, second)).toBe(true);
  });

  test('a one-time code survives four wrong guesses but not the fifth', async () => {
    const target = mail(member.email);
    await ask(target);
    const code = own.outbox.codeFor(member.email);
    for (let time = 0; time < 4; time += 1) expect(await guess(target, notThis(code))).toBe(false);
    expect(await guess(target, code)).toBe(true);

    clock.pass({ seconds: 60 });
    await askProven(target);
    const next = own.outbox.codeFor(member.email);
    for (let time = 0; time < 5; time += 1) expect(await guess(target, notThis(next))).toBe(false);
    expect(await guess(target, next)).toBe(false);
  });

  test('a one-time code works only in the browser that requested it, and guesses in other browsers do not invalidate it', async () => {
    const target = text(member.phone);
    await ask(target);
    const code = own.outbox.codeFor(member.phone);
    for (const browser of ['another', 'a third']) {
      for (let time = 0; time < 5; time += 1) {
        expect(await guess(target, notThis(code), { browser })).toBe(false);
      }
      expect(await guess(target, code, { browser })).toBe(false);
    }
    const none = { purpose: 'phone_foreign', to: target.to, code, browser: undefined } as const;
    expect(await db.transaction((tx) => own.codes.use(tx, none))).toBe(false);
    expect(await guess(target, code)).toBe(true);
  });

  test('a one-time code stays valid when another browser requests a code for the same address and guesses at it', async () => {
    const target = mail(member.email);
    await ask(target);
    const code = own.outbox.codeFor(member.email);
    clock.pass({ seconds: 60 });
    await askProven(target, { browser: 'a stranger' });
    const theirs = { browser: 'a stranger' };
    for (let time = 0; time < 6; time += 1) await guess(target, notThis(code), theirs);
    expect(await guess(target, code)).toBe(true);
  });

  test('only five of fifty concurrent guesses at a one-time code are compared with the right code', async () => {
    const target = mail(member.email);
    await ask(target);
    const code = own.outbox.codeFor(member.email);
    await Promise.all(Array.from({ length: 50 }, () => guess(target, notThis(code))));
    const { tries } = await db.one(z.object({ tries: z.int() }), sql`select tries from codes`);
    expect(tries).toBe(5);
    expect(await guess(target, code)).toBe(false);
  });

  test('only one of twenty concurrent uses of a one-time code succeeds', async () => {
    const target = text(member.phone);
    await ask(target);
    const code = own.outbox.codeFor(member.phone);
    const answers = await Promise.all(Array.from({ length: 20 }, () => guess(target, code)));
    expect(answers.filter(Boolean)).toHaveLength(1);
  });

  test('neither a one-time code nor its mail address or phone number can be read in the database', async () => {
    await ask(mail(member.email));
    const rows = await db.many(
      z.object({ row: z.string() }),
      sql`select codes::text as row from codes
          union all select limit_counters::text from limit_counters`,
    );
    const hex = Buffer.from(own.outbox.codeFor(member.email)).toString('hex');
    for (const { row } of rows) {
      expect(row).not.toContain(member.email);
      expect(row).not.toContain(hex);
    }
  });

  test('a one-time code is deleted when it has expired, and not before', async () => {
    await ask(mail(member.email));
    clock.pass({ seconds: 299 });
    await own.codes.forgetOld();
    expect(await db.many(z.object({}), sql`select purpose from codes`)).toHaveLength(1);
    clock.pass({ seconds: 1 });
    await own.codes.forgetOld();
    expect(await db.many(z.object({}), sql`select purpose from codes`)).toHaveLength(0);
  });
});

describe('limits on code requests', () => {
  test('a mail address or phone number is sent at most one one-time code in sixty seconds, even for different purposes', async () => {
    await ask(text(member.phone));
    clock.pass({ seconds: 59 });
    await expect(askProven(text(member.phone))).rejects.toMatchObject(tooOften);
    const other = { purpose: 'password_forget_phone' } as const;
    await expect(askProven(text(member.phone), other)).rejects.toMatchObject(tooOften);
    clock.pass({ seconds: 1 });
    await askProven(text(member.phone));
  });

  test('a mail address or phone number is sent at most ten one-time codes a day', async () => {
    for (let time = 0; time < 10; time += 1) {
      await askProven(mail(member.email));
      clock.pass({ seconds: 60 });
    }
    await expect(askProven(mail(member.email))).rejects.toMatchObject(tooOften);
    clock.pass({ hours: 24 });
    await ask(mail(member.email));
  });

  test('a mail address is sent ten one-time codes a day for unknown networks and ten more for networks that its owner has used', async () => {
    const network = newNetwork();
    await db.transaction((tx) =>
      upsertKnownNetwork(tx, { accountId: member.accountId, network, at: new Date(clock.now()) }),
    );
    const target = mail(member.email);
    for (let time = 0; time < 10; time += 1) {
      await askProven(target, { browser: `stranger ${time}` });
      // The sixty seconds of a stranger do not apply to the known network.
      await askProven(target, { network });
      clock.pass({ seconds: 60 });
    }
    await expect(askProven(target)).rejects.toMatchObject(tooOften);
    await expect(askProven(target, { network })).rejects.toMatchObject(tooOften);
  });

  test('a client network can request at most fifty one-time codes a day', async () => {
    const network = newNetwork();
    for (let time = 0; time < 50; time += 1) {
      await askProven(mail(`someone-${time}@example.com`), { network });
    }
    await expect(askProven(mail('one@example.com'), { network })).rejects.toMatchObject(tooOften);
    await ask(mail('one@example.com'));
  });

  test('only one of twenty concurrent requests for one-time codes for one mail address or phone number sends a code', async () => {
    const asked = await Promise.allSettled(
      Array.from({ length: 20 }, () => ask(mail(member.email))),
    );
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(own.outbox.sent).toHaveLength(1);
  });

  test('at most ten texted codes stay unanswered among phone numbers that differ only in their last four digits', async () => {
    await givenPhones(12, (index) => `+1202555${String(1000 + index)}`);
    for (let index = 0; index < 10; index += 1) await ask(text(`+1202555${1000 + index}`));
    await expect(ask(text('+12025551010'))).rejects.toMatchObject(tooOften);
    await ask(text(member.phone.replace('+1202555', '+1202556'))); // another range, without an account
    // One answered text allows three more texts.
    expect(await guess(text('+12025551000'), own.outbox.codeFor('+12025551000'))).toBe(true);
    await ask(text('+12025551010'));
  });

  test('texted one-time codes are limited by a daily budget and by a limit of unanswered ones, of which a country gets half', async () => {
    own = openTestCodes({ db, clock }, { textsUnansweredMax: 4, textsPerDayMax: 5 });
    await givenPhones(9, (index) => `+1202${555 + index}1000`);
    await givenPhones(9, (index) => `+4915${110 + index}45678`);
    const american = (index: number) => text(`+1202${555 + index}1000`);
    const german = (index: number) => text(`+4915${110 + index}45678`, 'DE');
    await ask(american(0));
    await ask(american(1));
    await expect(ask(american(2))).rejects.toMatchObject(tooOften);
    await ask(german(0));
    await ask(german(1));
    await expect(ask(german(2))).rejects.toMatchObject(tooOften);
    // Answers reduce the count of unanswered texts, but not the texts counted against the daily budget.
    for (const target of [american(0), german(0)]) {
      expect(await guess(target, own.outbox.codeFor(target.to))).toBe(true);
    }
    await ask(american(3));
    await expect(ask(american(4))).rejects.toMatchObject(tooOften);
    expect(own.outbox.sent).toHaveLength(5);
  });

  test('a mailed one-time code does not count towards the limits of text messages', async () => {
    own = openTestCodes({ db, clock }, { textsUnansweredMax: 1, textsPerDayMax: 1 });
    await ask(mail(member.email));
    await ask(text(member.phone));
    expect(own.outbox.sent).toHaveLength(2);
  });
});

describe('human proofs for code requests', () => {
  test('the second request for a one-time code for one mail address or phone number requires a human proof', async () => {
    await ask(mail(member.email));
    clock.pass({ seconds: 60 });
    await expect(ask(mail(member.email))).rejects.toMatchObject(proofNeeded);
    await askProven(mail(member.email));
  });

  test('the second request for a one-time code from one network requires a human proof', async () => {
    const network = newNetwork();
    await ask(mail('one@example.com'), { network });
    await expect(ask(mail('two@example.com'), { network })).rejects.toMatchObject(proofNeeded);
    await askProven(mail('two@example.com'), { network });
  });

  test('a human proof works for only one of ten concurrent requests for one-time codes', async () => {
    const network = newNetwork();
    await ask(mail('first@example.com'), { network });
    const proof = await own.prove();
    const asked = await Promise.allSettled(
      Array.from({ length: 10 }, (_, index) =>
        ask(mail(`at-once-${index}@example.com`), { network, proof }),
      ),
    );
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('a human proof that is expired, foreign, altered, unsolved or malformed is refused', async () => {
    const network = newNetwork();
    await ask(mail('first@example.com'), { network });
    const old = await own.prove();
    clock.pass({ seconds: 600 });
    const changed = JSON.parse(Buffer.from(await own.prove(), 'base64').toString());
    changed.challenge.parameters.expiresAt += 600;
    const stranger = openHumanProofs({
      secret: 'of somebody else',
      now: clock.now,
      effort: little,
    });
    const foreign = await solve(await stranger.challenge());
    const unsolved = JSON.parse(Buffer.from(await own.prove(), 'base64').toString());
    unsolved.solution.derivedKey = unsolved.solution.derivedKey.replace(/.$/, (last: string) =>
      last === '0' ? '1' : '0',
    );
    const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64');
    for (const proof of [old, foreign, encoded(changed), encoded(unsolved), encoded({}), 'AAAA']) {
      const asked = ask(mail('second@example.com'), { network, proof });
      await expect(asked).rejects.toMatchObject(proofNeeded);
    }
  });
});

describe('code requests for unknown targets', () => {
  test('a request for a one-time code for a mail address without an account is answered like any other and sends nothing', async () => {
    const story = async (target: Target) => {
      const answers: unknown[] = [];
      const note = async (asking: Promise<unknown>) => {
        answers.push(await asking.catch((error: { code: string }) => error.code));
      };
      await note(ask(target));
      await note(ask(target));
      clock.pass({ seconds: 60 });
      await note(ask(target));
      await note(askProven(target));
      await note(guess(target, '12345x'));
      return answers;
    };
    const known = await story(mail(member.email));
    expect(await story(mail('nobody@example.com'))).toEqual(known);
    expect(known).toEqual([
      { nextInSeconds: 60 },
      'AuthCodeSendTooFrequently',
      'HumanProofNeeded',
      { nextInSeconds: 60 },
      false,
    ]);
    expect(own.outbox.sent.map(({ to }) => to)).toEqual([member.email, member.email]);
  });

  test('a one-time code for a phone number without an account uses up no text message, and is refused once texts are used up', async () => {
    own = openTestCodes({ db, clock }, { textsUnansweredMax: 2 });
    for (let index = 0; index < 20; index += 1) await ask(text(`+1202${600 + index}1000`));
    await ask(text(member.phone));
    await expect(ask(text('+12027001000'))).rejects.toMatchObject(tooOften);
  });

  test('a request for a one-time code is answered before its message has been sent', async () => {
    const leaving = Promise.withResolvers<'sent'>();
    own = openTestCodes(
      { db, clock },
      {
        messages: {
          canMail: true,
          canText: () => true,
          mailCode: () => leaving.promise,
          textCode: () => leaving.promise,
        },
      },
    );
    const { codes } = own;
    const reply = await codes.send({
      purpose: 'password_forget_email',
      target: mail(member.email),
      network: newNetwork(),
      browser: testBrowser,
      proof: null,
      locale: 'en-US',
      siteTitle: 'Solmere',
    });
    expect(reply).toEqual({ nextInSeconds: 60 });
    leaving.resolve('sent');
    await codes.settle();
  });
});

test('a request for a one-time code is answered normally when sending its message fails', async () => {
  own = openTestCodes(
    { db, clock },
    {
      messages: {
        canMail: true,
        canText: () => true,
        mailCode: () => Promise.reject(new Error(`550 ${member.email}`)),
        textCode: async () => 'refused',
      },
    },
  );
  expect(await ask(mail(member.email))).toEqual({ nextInSeconds: 60 });
  expect(await ask(text(member.phone))).toEqual({ nextInSeconds: 60 });
});

test('a request for a one-time code is answered with SystemBusy when the shop has no way to send mail or texts', async () => {
  const messages = { ...own.outbox, canMail: false, canText: () => false };
  own = openTestCodes({ db, clock }, { messages });
  for (const target of [mail(member.email), text(member.phone)]) {
    await expect(ask(target)).rejects.toMatchObject({ code: 'SystemBusy' });
  }
});

// Thousands of numbers with accounts, over four prefixes of four countries, each asked for from one
// of five hundred networks. Without accounts not a single text would leave.
test('an attacker who requests one-time codes for thousands of numbers from 500 networks causes at most 100 texts', async () => {
  const numbers = effort({ gate: 2_000, night: 10_000 });
  const numberOf = (index: number) => {
    const line = String(index).padStart(5, '0');
    const [prefix, country] = ranges[index % ranges.length] ?? ['', ''];
    return { to: `${prefix}${line}`, country };
  };
  await givenPhones(numbers, (index) => numberOf(index).to);
  const lanes = Array.from({ length: 8 }, async (_, lane) => {
    for (let index = lane; index < numbers; index += 8) {
      const { to, country } = numberOf(index);
      const network = `172.${16 + ((index % 500) >> 8)}.${(index % 500) & 255}.0/24`;
      await ask(text(to, country), { network }).catch(() => {});
    }
  });
  await Promise.all(lanes);
  expect(own.outbox.sent.length).toBeGreaterThan(0);
  expect(own.outbox.sent.length).toBeLessThanOrEqual(100);
}, 300_000);

const ranges = [
  ['+861380', 'CN'],
  ['+120255', 'US'],
  ['+819012', 'JP'],
  ['+491511', 'DE'],
];

/** Accounts that have a phone and nothing else. */
async function givenPhones(count: number, numberOf: (index: number) => string): Promise<void> {
  const phones = Array.from(
    { length: count },
    (_, index) => testIdentityKeyOf({ accountType: 'MOBILE', subject: numberOf(index) }).subject,
  );
  await db.transaction((tx) =>
    tx.run(sql`
      insert into identities (account_type, subject, account_id)
      select 'MOBILE', phone, ${member.accountId} from unnest(${phones}::text[]) as phone`),
  );
}
