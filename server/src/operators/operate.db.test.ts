import { afterAll, beforeAll, expect, test } from 'vitest';
import { operate } from '../../test/operate.ts';
import { operateByProgram } from '../../test/processes.ts';
import { openTestShop, type TestShop } from '../../test/shop.ts';
import { sql } from '../platform/db.ts';
import { newId } from '../platform/ids.ts';

let shop: TestShop;
beforeAll(async () => {
  shop = await openTestShop({ LOG_LEVEL: 'silent' });
});
afterAll(() => shop.closeAll());

// Each command is tested with its feature, mostly in process.
test('the operator program exits with 0 for an answer, 1 for a refusal and 2 for an unknown command', async () => {
  const [answer, refusal, unknown] = await Promise.all([
    operateByProgram(shop, ['cases']),
    operateByProgram(shop, ['case', 'nothing']),
    operateByProgram(shop, ['nonsense']),
  ]);
  expect(answer).toEqual({ status: 0, out: '[]\n', complaint: '' });
  expect(refusal).toEqual({ status: 1, out: '', complaint: 'there is no case nothing\n' });
  expect(unknown).toMatchObject({ status: 2, out: '' });
  expect(unknown.complaint).toMatch(/^There is no command nonsense\. .*operate -- help\n$/);
});

test.each([['--help'], ['-h'], ['help']])(
  'the help of the operator program needs no configured shop: %s',
  async (...args) => {
    const help = await operate(shop, args, { environment: { DATABASE_URL: '' } });
    expect(help).toMatchObject({ status: 0, complaint: '' });
    expect(help.out).toMatch(/^Usage: npm run operate/);
    expect(help.out).toContain('export-events');
  },
);

test.each([[['refund', '--help']], [['help', 'refund']], [['refund', '-h']]])(
  'the help of one operator command has its options, its examples and no other command: %s',
  async (args) => {
    const help = await operate(shop, args, { environment: { DATABASE_URL: '' } });
    expect(help).toMatchObject({ status: 0, complaint: '' });
    expect(help.out).toMatch(/^Usage: npm run operate -- refund <paymentId> --reason <reason> \[/);
    expect(help.out).toContain('[--refund-id <uuid>]');
    expect(help.out).toContain('  npm run operate -- refund 01970000-');
    expect(help.out).not.toContain('export-events');
  },
);

test.each([
  ['load-price', 'load-prices'],
  ['relove', 'resolve'],
  ['case-list', 'cases'],
])(
  'an unknown operator command is answered with the most similar command names: %s',
  async (typed, meant) => {
    const { status, complaint } = await operate(shop, [typed]);
    expect(status).toBe(2);
    expect(complaint).toMatch(`There is no command ${typed}. The nearest: `);
    expect(complaint).toContain(meant);
  },
);

const noOrder = '01970000-0000-7000-8000-000000000000';
const refund = ['refund', noOrder, '--by', 'ines'];
test.each<[string, string[], string]>([
  ['an unknown reason', [...refund, '--reason', 'banana'], '--reason banana is no reason'],
  [
    'an amount with a decimal point',
    [...refund, '--reason', 'goodwill', '--amount', '0.50'],
    '--amount 0.50 is no amount: it is in smallest units, 50 for 0.50 USD',
  ],
  [
    'a malformed refund id',
    [...refund, '--reason', 'goodwill', '--refund-id', 'again'],
    '--refund-id again is no id',
  ],
  ['an impossible day', ['reconcile', 'stripe', '2026-13-99'], '2026-13-99 is no day'],
  ['a day in words', ['reconcile', 'stripe', 'yesterday'], 'yesterday is no day as 2026-11-14 is'],
  ['a future day', ['reconcile', 'stripe', '2999-01-01'], '2999-01-01 has not begun yet'],
  ['an unknown option', ['cases', '--all'], "Unknown option '--all'"],
  ['an argument too many', ['cases', 'open'], 'open is one argument too many'],
  ['an option without its value', ['cases', '--by'], "Option '--by <value>' argument missing"],
])(
  'an operator command with %s exits with the status 2 and one sentence of explanation',
  async (_what, args, sentence) => {
    const { status, out, complaint } = await operate(shop, args);
    expect([status, out]).toEqual([2, '']);
    expect(complaint).toContain(sentence);
    expect(complaint).not.toMatch(/^ +at /m);
  },
);

test('an operator command that resolves a case answers a malformed case id with the refusal that there is no such open case', async () => {
  const args = ['resolve', 'nothing', '--by', 'ines', '--note', 'done'];
  expect(await operate(shop, args)).toMatchObject({
    status: 1,
    complaint: 'there is no such open case\n',
  });
});

test('an operator command with malformed input is refused with the input source, the field and the reason', async () => {
  const rule = { ruleId: 'double', siteId: 'solmere', kind: 'item', startsAt: 'today' };
  const input = JSON.stringify({ giftRules: [rule] });
  const { status, complaint } = await operate(shop, ['load-promotions'], { input });
  expect(status).toBe(1);
  expect(complaint).toMatch(
    /^standard input is not usable:\n {2}giftRules\.0\.startsAt: is no time/,
  );
  const all = await operate(shop, ['load-promotions'], { input: '[]' });
  expect(all.complaint).toMatch(/^standard input is not usable:\n {2}all of it: Invalid/);
});

test('the operator program ends with one sentence of explanation when its database or configuration is missing', async () => {
  const [away, unset] = await Promise.all([
    operateByProgram(shop, ['cases'], {
      environment: { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none', LOG_LEVEL: 'silent' },
    }),
    operate(shop, ['cases'], { environment: { DATABASE_URL: 'none' } }),
  ]);
  expect(away).toEqual({
    status: 2,
    out: '',
    complaint: "The shop's database cannot be reached. Is DATABASE_URL right?\n",
  });
  expect(unset).toMatchObject({ status: 2, out: '' });
  expect(unset.complaint).toMatch(/^The configuration is not usable:\n {2}DATABASE_URL: /);
  expect(unset.complaint).not.toMatch(/^ +at /m);
});

test('the standard output of an operator command contains only its answer and no log lines', async () => {
  await shop.db.transaction(async (tx) => {
    // A row as an older release without the check constraint could have written it.
    await tx.run(sql`alter table method_switches drop constraint switch_is_of_a_method`);
    await tx.run(sql`
      insert into method_switches (id, method, site_id, is_on, by, reason, at)
      values (${newId()}, 'paypol', null, false, 'ines', 'misspelt', now())`);
  });
  const environment = { LOG_LEVEL: 'debug' };
  const { status, out, complaint } = await operateByProgram(shop, ['methods'], { environment });
  expect(status).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ providers: [{ provider: 'stripe' }] });
  expect(complaint).toContain('a row cannot be used and is set aside');
});
