import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditedIn, sorted } from '../../test/audited.ts';
import { givenRecharge, startGame } from '../../test/game.ts';
import { secretKey, startStripe } from '../../test/stripe.ts';
import { schema as gameSchema } from '../game/game.ts';
import { schema } from '../stripe/schema.ts';
import { openDatabase } from './database.ts';
import { object, whole } from './shape.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sandbox-'));
});
afterAll(async () => await rm(folder, { recursive: true }));

const paymentId = '0f0f0f0f-0000-4000-8000-000000000abc';

test('a sandbox upgrades its data file by running each schema script once, and refuses a data file of a later version', () => {
  const file = join(folder, 'scripts.sqlite');
  const first = 'create table things (n integer not null)';
  const before = openDatabase({ file, schema: [first] });
  before.run('insert into things values (7)');
  before.close();

  const second = 'alter table things add column m integer; update things set m = n + 1';
  const after = openDatabase({ file, schema: [first, second] });

  expect(after.all(object({ n: whole, m: whole }), 'select * from things')).toEqual([
    { n: 7, m: 8 },
  ]);
  after.close();
  expect(() => openDatabase({ file, schema: [first] })).toThrow('of a later version');
});

test('the Stripe sandbox opens a data file of schema version 1 and lists its old charges and refunds', async () => {
  const file = join(folder, 'old.sqlite');
  const old = openDatabase({ file, schema: schema.slice(0, 1) });
  old.run(
    `insert into payment_intents values ('pi_old', 1000, 499, 'usd', 'succeeded', '{}', null)`,
  );
  old.run(
    `insert into charges values ('ch_old', 1000, 'pi_old', 499, 100, 'usd', '{}', '${paymentId}')`,
  );
  old.run(
    `insert into refunds values ('re_old', 1001, 'ch_old', 'pi_old', 100, 'usd', null, '{}')`,
  );
  old.close();

  const stripe = await startStripe({ DATA_FILE: file });
  try {
    expect(await auditedIn(stripe, 'charges')).toEqual(sorted([`${paymentId}|pi_old|499|usd`]));
    expect(await auditedIn(stripe, 'refunds')).toEqual(
      sorted([`${paymentId}|pi_old|re_old|100|usd`]),
    );
    expect(await stripe.get('/__sandbox/records/balanceTransactions')).toMatchObject({
      records: [
        { amount: 499, fee: 44, reporting_category: 'charge', source: 'ch_old' },
        { amount: -100, fee: 0, reporting_category: 'refund', source: 're_old' },
      ],
    });
    expect(await stripe.sdk.refunds.retrieve('re_old')).toMatchObject({ status: 'succeeded' });
  } finally {
    await stripe.stop();
  }
});

test('the Stripe sandbox opens a data file of schema version 2 and lists its charges, refunds and disputes', async () => {
  const file = join(folder, 'marked.sqlite');
  const old = openDatabase({ file, schema: schema.slice(0, 2) });
  old.run(
    `insert into payment_intents values ('pi_old', 1000, 499, 'usd', 'succeeded', '{}', null)`,
  );
  const money = `1000, 'ch_old', 'pi_old', 499, 'usd'`;
  const marked = `'${paymentId}', 2748`;
  old.run(
    `insert into charges (id, created, payment_intent, amount, currency, metadata, payment_id, bucket, crc)
     values ('ch_old', 1000, 'pi_old', 499, 'usd', '{}', ${marked}, 1)`,
  );
  for (const [id, status, crc] of [
    ['re_done', 'succeeded', 1],
    ['re_failed', 'failed', null],
  ]) {
    old.run(
      `insert into refunds (created, charge, payment_intent, amount, currency, payment_id, bucket,
         metadata, id, status, crc) values (${money}, ${marked}, '{"refundId":"ours"}', ?, ?, ?)`,
      ...[id ?? '', status ?? '', crc ?? null],
    );
  }
  old.run(
    `insert into disputes (created, charge, payment_intent, amount, currency, payment_id, bucket, id,
       reason, status, crc) values (${money}, ${marked}, 'du_old', 'fraudulent', 'lost', 1)`,
  );
  old.close();

  const stripe = await startStripe({ DATA_FILE: file });
  try {
    const start = `${paymentId}|pi_old`;
    for (const [of, line] of [
      ['charges', `${start}|499|usd`],
      ['refunds', `${start}|ours|499|usd`],
      ['disputes', `${start}|du_old|lost|499|usd`],
    ]) {
      expect(await auditedIn(stripe, of ?? '')).toEqual(sorted([line ?? '']));
    }
  } finally {
    await stripe.stop();
  }
});

test('the game sandbox opens a data file of schema version 1 and lists its grants and revocations', async () => {
  const file = join(folder, 'old-game.sqlite');
  const old = openDatabase({ file, schema: gameSchema.slice(0, 1) });
  const to = `'demo', 'ga_aveline', 's12', 'r_aveline', 'gems_60'`;
  for (const quantity of [1, 2]) {
    old.run(`insert into grants values (null, '${paymentId}', ${to}, ${quantity}, 'then')`);
  }
  old.run(`insert into deliveries values ('${paymentId}', '[]', null, 'then')`);
  old.run(
    `insert into roles_set values ('ga_old', 's12', '[{"roleId":"r_old","name":"Old","level":1}]')`,
  );
  old.close();

  const game = await startGame({ DATA_FILE: file });
  try {
    expect(await auditedIn(game, 'grants')).toEqual(
      sorted([`${paymentId}|demo|s12|r_aveline|ga_aveline|gems_60|3|2`]),
    );
    expect(await auditedIn(game, 'revocations')).toEqual(sorted([`${paymentId}|revoked`]));
    const recharge = givenRecharge({ gameAccountId: 'ga_old', roleId: 'r_old' });
    expect(await game.call('recharge.validate', recharge)).toMatchObject({
      body: { result: 'ok' },
    });
  } finally {
    await game.stop();
  }
});

test('a settlement file left half-written by a killed Stripe sandbox is written again', async () => {
  const file = join(folder, 'killed.sqlite');
  const before = await startStripe({ DATA_FILE: file });
  const { id } = await before.sdk.reporting.reportRuns.create({
    report_type: 'balance_change_from_activity.itemized.3',
    parameters: { interval_start: 0, interval_end: 1, columns: ['net'] },
  });
  await before.stop();
  const killed = openDatabase({ file, schema });
  killed.run(`insert into files (id, created, run) values ('file_half', 1, '${id}')`);
  killed.run(`insert into file_parts (file, text) values ('file_half', 'half')`);
  killed.close();

  const stripe = await startStripe({ DATA_FILE: file });
  try {
    const first = await stripe.sdk.reporting.reportRuns.retrieve(id);
    expect(first).toMatchObject({ status: 'pending', result: null });
    const { result } = await stripe.sdk.reporting.reportRuns.retrieve(id);
    const headers = { authorization: `Bearer ${secretKey}` };
    const contents = await fetch(result?.url ?? '', { headers });
    expect(await contents.text()).toBe('"net"\n');
  } finally {
    await stripe.stop();
  }
});
