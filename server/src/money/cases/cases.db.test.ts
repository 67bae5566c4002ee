import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openScratch, type Scratch } from '../../../test/scratch.ts';
import { log } from '../../platform/log.ts';
import { findCase, keepCases, openCase, openCases, resolveCase } from './cases.ts';

let scratch: Scratch;
beforeAll(async () => {
  log.level = 'silent';
  scratch = await openScratch();
});
beforeEach(() => scratch.executor.executeSql('truncate cases'));
afterAll(() => scratch.close());

type Opened = Parameters<typeof openCase>[1];

const open = (changes: Partial<Opened> = {}) =>
  scratch.db.transaction((tx) =>
    openCase(tx, {
      kind: 'dispute',
      subject: 'du_1:open',
      order: null,
      details: { amountMinor: '499' },
      ...changes,
    }),
  );

const resolve = (id: string, by: string) =>
  scratch.db.transaction((tx) => resolveCase(tx, { id, by, resolution: 'evidence sent' }));

test('an open operator case is stored with the order that the case is about', async () => {
  const order = { accountId: randomUUID(), paymentId: randomUUID() };
  await open({ order });
  expect(await openCases(scratch.db)).toMatchObject([
    {
      kind: 'dispute',
      subject: 'du_1:open',
      account_id: order.accountId,
      payment_id: order.paymentId,
      details: { amountMinor: '499' },
      resolved_at: null,
    },
  ]);
});

test('an operator case opened concurrently for one subject (such as a dispute) exists once; another subject has its own', async () => {
  await Promise.all(Array.from({ length: 10 }, () => open({ details: { heard: 'again' } })));
  await open({ subject: 'du_1:warning' });
  await open({ kind: 'reinstated' });
  expect(await openCases(scratch.db)).toHaveLength(3);
});

test('open operator cases are listed oldest first', async () => {
  for (const subject of ['b', 'a', 'c']) await open({ subject });
  expect((await openCases(scratch.db)).map(({ subject }) => subject)).toEqual(['b', 'a', 'c']);
});

test('a resolved operator case leaves the list of open cases, keeps its resolution and is not reopened', async () => {
  await open();
  const [found] = await openCases(scratch.db);
  const id = found?.id ?? '';

  expect(await resolve(id, 'mira')).toBe(true);

  expect(await openCases(scratch.db)).toEqual([]);
  expect(await findCase(scratch.db, id)).toMatchObject({
    resolved_by: 'mira',
    resolution: 'evidence sent',
    resolved_at: expect.any(Date),
  });
  await open(); // the same problem is reported once more
  expect(await openCases(scratch.db)).toEqual([]);
});

test('an operator case resolved concurrently keeps the first resolution', async () => {
  await open();
  const [found] = await openCases(scratch.db);
  const id = found?.id ?? '';
  const answers = await Promise.all(['mira', 'jon', 'ada'].map((by) => resolve(id, by)));
  expect(answers.filter(Boolean)).toHaveLength(1);
  const winner = ['mira', 'jon', 'ada'][answers.indexOf(true)];
  expect(await findCase(scratch.db, id)).toMatchObject({ resolved_by: winner });
  expect(await resolve(randomUUID(), 'mira')).toBe(false);
  expect(await findCase(scratch.db, randomUUID())).toBeUndefined();
});

test('the database table of operator cases rejects a case that names its resolver but has no resolution', async () => {
  await open();
  await expect(
    scratch.executor.executeSql("update cases set resolved_by = 'mira'"),
  ).rejects.toThrow('a_resolution_is_somebodys');
});

test('an operator case opens for each new problem and closes once the problem is gone, and stays closed if an operator has resolved it', async () => {
  const keep = (...subjects: string[]) =>
    scratch.db.transaction((tx) =>
      keepCases(
        tx,
        'unusable_row',
        subjects.map((subject) => ({ subject, details: {} })),
      ),
    );
  const subjects = async () => (await openCases(scratch.db)).map(({ subject }) => subject).sort();
  await open();
  await keep('a', 'b');
  await keep('a', 'b');
  expect(await subjects()).toEqual(['a', 'b', 'du_1:open']);
  await keep('b');
  expect(await subjects()).toEqual(['b', 'du_1:open']);
  await keep('a', 'b');
  expect(await subjects()).toEqual(['a', 'b', 'du_1:open']);
  const [found] = (await openCases(scratch.db)).filter(({ subject }) => subject === 'b');
  await resolve(found?.id ?? '', 'mira');
  await keep('a', 'b');
  expect(await subjects()).toEqual(['a', 'du_1:open']);
});
