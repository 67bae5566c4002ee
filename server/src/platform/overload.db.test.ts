import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Buyer, givenBuyer } from '../../test/buying.ts';
import { openTestShop, send, type TestShop } from '../../test/shop.ts';
import { sql, type Tx } from './db.ts';

const connections = 2;
let shop: TestShop;
let buyer: Buyer;
beforeAll(async () => {
  const DATABASE_CONNECTIONS = `${connections}`;
  const DATABASE_WAIT_SECONDS = '5';
  shop = await openTestShop({ LOG_LEVEL: 'silent', DATABASE_CONNECTIONS, DATABASE_WAIT_SECONDS });
  buyer = await givenBuyer(shop);
});
afterAll(() => shop.closeAll());

// Each call waits for the configured timeout; the blocking session may hold on three times as long.

test('an API call that waits too long for a database table lock is answered with SystemBusy', async () => {
  await shop.db.transaction(async (tx) => {
    await tx.run(sql`lock table wallets in access exclusive mode`);
    expect(await askForPoints()).toMatchObject(isBusy);
  });
  expect(await askForPoints()).toMatchObject({ isSuccess: true });
});

test('an API call that waits too long for a database connection is answered with SystemBusy', async () => {
  const over = Promise.withResolvers<void>();
  const hold = async (tx: Tx) => {
    await tx.run(sql`select 1`);
    await over.promise;
  };
  const held = Array.from({ length: connections }, () => shop.db.transaction(hold));
  expect(await askForPoints()).toMatchObject(isBusy);
  over.resolve();
  await Promise.all(held);
  expect(await askForPoints()).toMatchObject({ isSuccess: true });
});

const isBusy = { httpStatus: 503, isSuccess: false, code: 'SystemBusy' };

async function askForPoints() {
  const { cookie, gameAccountId } = buyer;
  return await send(shop, '/api/epoint/overage', { cookie, body: { userId: gameAccountId } });
}
