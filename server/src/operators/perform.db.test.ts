import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { operate } from '../../test/operate.ts';
import { openTestShop, type TestShop } from '../../test/shop.ts';
import { openRawExecutor, sql, type Tx } from '../platform/db.ts';
import { newId } from '../platform/ids.ts';
import { type OperatorAction, operatorAction, refuse } from '../platform/operator-action.ts';
import { listEntries } from './entries.ts';
import { type Actor, performAction } from './perform.ts';

let shop: TestShop;
beforeAll(async () => {
  shop = await openTestShop({ LOG_LEVEL: 'silent' });
});
afterAll(() => shop.closeAll());

const input = z.strictObject({ subject: z.string(), text: z.string().default('') });
const described = { summary: 'Writes a note.', examples: ['note a'], input } as const;

/** Something that an action changes: a case of this subject. */
async function writeNote(tx: Tx, subject: string): Promise<void> {
  await tx.run(sql`
    insert into cases (id, kind, subject, details) values (${newId()}, 'audit', ${subject}, '{}')`);
}

async function isNoted(subject: string): Promise<boolean> {
  const found = await shop.db.many(z.object({}), sql`select from cases where subject = ${subject}`);
  return found.length > 0;
}

const note = operatorAction({
  ...described,
  name: 'note',
  permission: 'cases.work',
  effect: 'changes',
  run: async (tx, { subject, text }) => {
    await writeNote(tx, subject);
    if (text === 'refuse') refuse('it cannot be noted');
    return { noted: subject };
  },
  answer: async (_parts, _input, { noted }) => ({ noted, isVisible: await isNoted(noted) }),
});

const output = { print: async () => {}, note: () => {} };
const atShell: Actor = {
  name: 'ines',
  via: 'shell',
  permissions: 'all',
  secondPerson: null,
  hasSteppedUp: false,
};

async function perform(
  action: OperatorAction,
  fields: Record<string, unknown>,
  { reason = null, ...actor }: Partial<Actor> & { reason?: string | null } = {},
): Promise<unknown> {
  const request = { fields, reason };
  return await performAction(shop, action, { actor: { ...atShell, ...actor }, request, output });
}

async function entriesOf(subject: string) {
  const entries = await listEntries(shop.db);
  return entries.filter(({ input: given }) => JSON.stringify(given).includes(`"${subject}"`));
}

describe('an operator action that changes rows', () => {
  test('an operator action that changes rows is stored with one audit entry that says who did what and when', async () => {
    const before = Date.now();
    const answer = await perform(note, { subject: 'n-1', text: 'late' }, { reason: 'asked' });
    expect(answer).toEqual({ noted: 'n-1', isVisible: true });
    const [entry, ...more] = await entriesOf('n-1');
    expect(more).toEqual([]);
    expect(entry).toMatchObject({
      by: 'ines',
      action: 'note',
      reason: 'asked',
      outcome: 'done',
      secondPerson: null,
      input: { subject: 'n-1', text: 'late' },
    });
    expect(entry?.at.getTime()).toBeGreaterThanOrEqual(before);
  });

  test('an operator action that is refused after changing rows is rolled back together with its audit entry', async () => {
    const refused = perform(note, { subject: 'n-2', text: 'refuse' });
    await expect(refused).rejects.toThrow('it cannot be noted');
    expect([await isNoted('n-2'), await entriesOf('n-2')]).toEqual([false, []]);
  });

  test('an operator action that changes rows is rolled back when its audit entry cannot be stored', async () => {
    // An entry with an empty name is refused by the table.
    await expect(perform(note, { subject: 'n-3' }, { name: '' })).rejects.toThrow();
    expect(await isNoted('n-3')).toBe(false);
  });

  test('an operator action is refused with the name of the field if an argument is malformed or unknown, and changes no row', async () => {
    await expect(perform(note, { subject: 3 })).rejects.toThrow(/^subject /);
    await expect(perform(note, { subject: 'n-4', size: 1 })).rejects.toThrow('size');
    expect(await isNoted('n-4')).toBe(false);
  });
});

describe('the audit entry of an operator action', () => {
  const work = operatorAction({
    ...described,
    name: 'work',
    permission: 'cases.work',
    effect: 'works',
    run: async (_parts, { subject, text }) => {
      if (text === 'refuse') refuse('it cannot be done');
      if (text === 'fail') throw new Error('it broke');
      return (await entriesOf(subject)).map(({ outcome }) => outcome);
    },
  });

  test.each([
    ['done', ''],
    ['refused', 'refuse'],
    ['failed', 'fail'],
  ])(
    'an operator action that takes long has an audit entry from before it begins and another when it is %s',
    async (outcome, text) => {
      const subject = `w-${outcome}`;
      const answer = await perform(work, { subject, text }).catch(() => 'thrown');
      expect(answer).toEqual(text === '' ? ['begun'] : 'thrown');
      expect((await entriesOf(subject)).map((entry) => entry.outcome)).toEqual([outcome, 'begun']);
    },
  );

  test('the audit entry of an operator action that shows personal data is stored before anything is shown', async () => {
    const reveal = operatorAction({
      ...described,
      name: 'reveal',
      permission: 'people.read',
      effect: 'reveals',
      run: async (_parts, { subject }) => await entriesOf(subject),
    });
    expect(await perform(reveal, { subject: 'r-1' })).toMatchObject([{ action: 'reveal' }]);
  });

  test('the audit entry of an operator action contains no personal data, and long values only by their digest', async () => {
    const personal: OperatorAction = { ...note, name: 'personal', hasPersonalInput: true };
    await perform(personal, { subject: '+8613800138000' });
    await perform(note, { subject: 'long', text: 'x'.repeat(5_000) });
    const entries = await listEntries(shop.db);
    expect(entries.find(({ action }) => action === 'personal')?.input).toEqual({});
    expect((await entriesOf('long'))[0]?.input).toEqual({
      subject: 'long',
      text: { sha256: expect.stringMatching(/^[0-9a-f]{64}$/), letters: 5_002 },
    });
  });

  test('an operator action that changes nothing and shows no personal data writes no audit entry', async () => {
    const read = operatorAction({
      ...described,
      name: 'read',
      permission: 'cases.read',
      effect: 'reads',
      run: async (_parts, { subject }, { by }) => `${subject} ${by}`,
    });
    expect(await perform(read, { subject: 's-1' }, { name: null })).toBe('s-1 null');
    expect(await entriesOf('s-1')).toEqual([]);
  });
});

test('an operator action that fails reports its own error even if its final audit entry cannot be stored', async () => {
  const broken = operatorAction({
    ...described,
    name: 'broken',
    permission: 'cases.work',
    effect: 'works',
    run: async ({ db }) => {
      // From here on no entry of this action can be stored.
      await db.transaction((tx) =>
        tx.run(sql`
          alter table operator_entries
          add constraint for_this_test check (action <> 'broken') not valid`),
      );
      throw new Error('it broke');
    },
  });
  await expect(perform(broken, { subject: 'b-1' })).rejects.toThrow('it broke');
});

describe('an operator at the console', () => {
  const guarded: OperatorAction = {
    ...note,
    name: 'guarded',
    needsReason: true,
    needsSecondPerson: true,
    needsStepUp: true,
  };
  const allowed = {
    via: 'console' as const,
    permissions: new Set(['cases.work'] as const),
    secondPerson: 'mira',
    hasSteppedUp: true,
    reason: 'asked by the player',
  };

  test.each([
    ['the permission', { permissions: new Set(['cases.read'] as const) }, 'cases.work'],
    ['a reason', { reason: '  ' }, '--reason is missing'],
    ['a second person', { secondPerson: null }, 'needs a second person'],
    ['another person than the one who asks', { secondPerson: 'ines' }, 'is the one who asks'],
    ['a step-up', { hasSteppedUp: false }, 'needs a step-up'],
  ])(
    'an operator at the console cannot perform an action without %s that the action requires',
    async (what, missing, why) => {
      const refused = perform(guarded, { subject: what }, { ...allowed, ...missing });
      await expect(refused).rejects.toThrow(why);
      expect([await isNoted(what), await entriesOf(what)]).toEqual([false, []]);
    },
  );

  test('the audit entry of an operator action at the console names the operator, the second person and the reason', async () => {
    await perform(guarded, { subject: 'g-1' }, allowed);
    expect(await entriesOf('g-1')).toMatchObject([
      { by: 'ines', secondPerson: 'mira', via: 'console', reason: 'asked by the player' },
    ]);
  });
});

describe('the audit entries of operators', () => {
  test("the hash chain of operators' audit entries has no gap when operators act at the same time", async () => {
    const many = Array.from({ length: 20 }, (_, index) => `c-${index}`);
    await Promise.all(many.map((subject) => perform(note, { subject })));
    const { status, out } = await operate(shop, ['check-actions']);
    const { entries, lastHash } = JSON.parse(out);
    expect([status, lastHash]).toEqual([0, expect.stringMatching(/^[0-9a-f]{64}$/)]);
    expect((await listEntries(shop.db))[0]?.seq).toBe(entries);
  });

  test.each([
    ['changed', sql`update operator_entries set by = 'nobody'`],
    ['deleted', sql`delete from operator_entries`],
    ['emptied', sql`truncate operator_entries`],
  ])('the audit entries of operators cannot be %s', async (_what, statement) => {
    await expect(shop.db.transaction((tx) => tx.run(statement))).rejects.toThrow();
  });

  test.each([
    ['changed', `update operator_entries set by = 'nobody' where seq = 2`, 2],
    ['removed', 'delete from operator_entries where seq = 2', 3],
    ['removed at the beginning', 'delete from operator_entries where seq = 1', 2],
  ])(
    "the check of the hash chain of operators' audit entries reports an entry that was %s in the database",
    async (_what, statement, broken) => {
      const own = await openTestShop({ LOG_LEVEL: 'silent' });
      const url = own.config.DATABASE_URL;
      const owner = openRawExecutor({ url, connectionsMax: 1, applicationName: 'test' });
      for (const reason of ['one', 'two', 'three', 'four']) {
        await operate(own, ['server-open', 'solmere', 's7', '--by', 'ines', '--reason', reason]);
      }
      expect(await operate(own, ['check-actions'])).toMatchObject({ status: 0 });
      await owner.executeSql(`alter table operator_entries disable trigger user; ${statement}`);
      expect(await operate(own, ['check-actions'])).toEqual({
        status: 1,
        out: '',
        complaint: `entry ${broken} was changed, or the one before it is missing\n`,
      });
      await owner.close();
      await own.closeAll();
    },
  );
});
