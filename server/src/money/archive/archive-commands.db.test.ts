import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { givenMonth, givenOldOrder } from '../../../test/old-month.ts';
import { operate } from '../../../test/operate.ts';
import { openTestShop, type TestShop } from '../../../test/shop.ts';
import { openRawExecutor, type RawExecutor } from '../../platform/db.ts';

let shop: TestShop;
let executor: RawExecutor;
let folder: string;
let paymentId: string;
beforeAll(async () => {
  shop = await openTestShop({ LOG_LEVEL: 'silent' });
  const options = { url: shop.databaseUrl, connectionsMax: 1, applicationName: 'test' };
  executor = openRawExecutor(options);
  folder = await mkdtemp(join(tmpdir(), 'archive-'));
  await givenMonth({ executor }, '2024-03');
  ({ paymentId } = await givenOldOrder({ executor }, '2024-03'));
});
afterAll(async () => {
  await executor.close();
  await shop.closeAll();
  await rm(folder, { recursive: true });
});

const run = (...args: string[]) => operate(shop, args);
const refusal = (complaint: string) => ({ status: 1, out: '', complaint: `${complaint}\n` });

test('operator commands archive the orders of a month, answer commands about these orders with the archive folder, and restore them', async () => {
  const at = join(folder, '2024-03');
  const named = ['--folder', folder, '--by', 'ana'];

  const archived = await run('archive', '2024-03', ...named);
  expect(archived).toMatchObject({ status: 0, complaint: '' });
  expect(JSON.parse(archived.out)).toMatchObject({ month: '2024-03', folder: at });
  expect(JSON.parse((await run('archives')).out)).toMatchObject([
    { month: '2024-03', state: 'archived', orders: '1', folder: at, archivedBy: 'ana' },
  ]);
  expect(await run('refund', paymentId, '--by', 'ana', '--reason', 'operator')).toEqual(
    refusal(`if there is an order ${paymentId}, it is archived in ${at}`),
  );
  expect(await run('reconcile', 'stripe', '2024-03-09', '--by', 'ana')).toEqual(
    refusal(`2024-03 is archived in ${at}`),
  );

  expect(await run('restore', '2024-03', ...named)).toMatchObject({ status: 0, complaint: '' });
  expect(JSON.parse((await run('archives')).out)).toMatchObject([
    { state: 'restored', restoredBy: 'ana' },
  ]);
  expect((await run('reconcile', 'stripe', '2024-03-09', '--by', 'ana')).status).toBe(0);
});

test('the archive command refuses a missing folder, a missing operator and a malformed month', async () => {
  expect(await run('archive', '2024-03', '--by', 'ana')).toEqual(refusal('--folder is missing'));
  expect(await run('archive', '2024-03', '--folder', folder)).toEqual(refusal('--by is missing'));
  expect(await run('archive', 'March', '--folder', folder, '--by', 'ana')).toEqual(
    refusal('March is no month as 2025-01 is'),
  );
});

test('archived orders of an account that is erased meanwhile are anonymised when they are restored', async () => {
  const named = ['--folder', folder, '--by', 'ana'];
  await givenMonth({ executor }, '2024-04');
  const order = await givenOldOrder({ executor }, '2024-04');
  const { rows } = await executor.executeSql(
    'select account_id, role_id from orders where payment_id = $1',
    [order.paymentId],
  );
  const [{ account_id: accountId, role_id: roleId }] = z
    .tuple([z.object({ account_id: z.string(), role_id: z.string() })])
    .parse(rows);
  expect(roleId).not.toContain('erased-');
  expect(await run('archive', '2024-04', ...named)).toMatchObject({ status: 0 });

  await run('erase-account', accountId, '--by', 'ana', '--reason', 'asked for');
  expect(await run('restore', '2024-04', ...named)).toMatchObject({ status: 0 });

  const restored = await executor.executeSql('select role_id from orders where payment_id = $1', [
    order.paymentId,
  ]);
  expect(restored.rows).toEqual([{ role_id: expect.stringMatching(/^erased-[0-9a-f]{16}$/) }]);
});
