import { afterAll, beforeAll, expect, test } from 'vitest';
import { contents, givenMonth, givenOldOrder } from '../../../test/old-month.ts';
import { openScratch, type Scratch } from '../../../test/scratch.ts';
import { openSession } from '../../platform/connections.ts';
import { log } from '../../platform/log.ts';
import { archiveMonth } from './archive.ts';

let scratch: Scratch;
beforeAll(async () => {
  log.level = 'silent';
  scratch = await openScratch();
});
afterAll(() => scratch.close());

/** The complaints of a refused archiving, which must not change the database or write files. */
async function refusalOf(month: string): Promise<string[]> {
  const before = await contents(scratch);
  const context = {
    db: scratch.db,
    open: () => openSession({ url: scratch.url, applicationName: 'test' }),
    now: () => Date.parse('2026-11-18T12:00:00Z'),
  };
  const done = await archiveMonth(context, { month, folder: '/dev/null/nowhere', by: 'ana' });
  expect(await contents(scratch)).toEqual(before);
  return 'complaints' in done ? done.complaints : [];
}

test.each(['2025-13', '25-01', '2025-01-01', ''])(
  'archiving orders refuses the malformed month "%s"',
  async (month) => {
    expect(await refusalOf(month)).toEqual([`${month} is no month as 2025-01 is`]);
  },
);

test('an operator cannot archive orders of the last twelve months, for which disputes and refunds may still arrive', async () => {
  expect(await refusalOf('2025-12')).toEqual([
    '2025-12 has to stay: disputes and refunds come for 12 months',
  ]);
});

test('archiving orders refuses a month from before the shop existed', async () => {
  expect(await refusalOf('2023-12')).toEqual(['the shop has no tables of 2023-12']);
});

test('archiving orders refuses an archive folder that cannot be created', async () => {
  await givenMonth(scratch, '2024-09');
  expect(await refusalOf('2024-09')).toEqual(['/dev/null/nowhere/2024-09 cannot be made']);
});

test.each([
  [
    'a disputed order',
    '2024-01',
    `update orders set is_disputed = true`,
    /^1 orders that are not at their end, such as \S+$/,
  ],
  [
    'an undelivered order',
    '2024-02',
    `update orders set state = 'paid'`,
    /^1 orders that are not at their end/,
  ],
  ['an open payment', '2024-03', `update payment_attempts set state = 'open'`, /^1 open payments/],
  [
    'a delivery under way',
    '2024-04',
    `update deliveries set state = 'queued', delivered_at = null`,
    /^1 deliveries under way/,
  ],
  ['a refund under way', '2024-05', `update refunds set state = 'pending'`, /^1 refunds under way/],
  [
    'a revocation under way',
    '2024-06',
    `update revocations set state = 'queued', result = null`,
    /^1 revocations under way/,
  ],
  [
    'a day that was not compared with a provider',
    '2024-07',
    `update settlement_days set compared_at = null`,
    /^1 days that were not compared with a provider, such as stripe 2024-07-09$/,
  ],
  [
    'an open case',
    '2024-08',
    `insert into cases (id, kind, subject, account_id, payment_id, details)
     select gen_random_uuid(), 'dispute', payment_id::text, account_id, payment_id, '{}' from orders`,
    /^1 open cases/,
  ],
])(
  'archiving refuses a month of orders that is not finished: a month with %s',
  async (_what, month, change, complaint) => {
    await givenMonth(scratch, month);
    await givenOldOrder(scratch, month);
    await scratch.executor.executeSql(change);
    expect(await refusalOf(month)).toEqual([expect.stringMatching(complaint)]);
  },
);
