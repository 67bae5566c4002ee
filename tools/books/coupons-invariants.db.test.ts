import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkCoupons } from '../../auditor/src/coupons-invariants.ts';
import { openDatabase } from '../../auditor/src/database.ts';
import { givenBuyer, openPage, payAtProvider } from '../../server/test/buying.ts';
import { givenCoupon, givenOrderWith } from '../../server/test/coupons.ts';
import { attemptOf, runJob } from '../../server/test/money-back.ts';
import { letExpire } from '../../server/test/orders.ts';
import { openTestShop, type TestShop } from '../../server/test/shop.ts';

let shop: TestShop;
let admin: pg.Client;
/** Order ids by name: an order that holds its coupon, a paid one and a closed one. */
let orders: Record<string, string>;

beforeAll(async () => {
  shop = await openTestShop({ LOG_LEVEL: 'silent' });
  admin = new pg.Client({ connectionString: shop.databaseUrl });
  await admin.connect();
  await admin.query('set session_replication_role = replica');
  const buyer = await givenBuyer(shop);
  const share = { percent: '50', currency: 'USD', cap: '1.50', minimum: '2.00' };
  const held = await givenOrderWith(shop, buyer, await givenCoupon(shop, buyer));
  const couponId = await givenCoupon(shop, buyer, share);
  const closed = await givenOrderWith(shop, buyer, couponId);
  await letExpire(shop.db, closed);
  await runJob(shop, 'expire_order', closed);
  const paid = await givenOrderWith(shop, buyer, couponId);
  await payAtProvider(shop, await openPage(shop, buyer, paid));
  await runJob(shop, 'check_attempt', await attemptOf(shop, paid));
  const amount = { percent: null, amount: '4.40', currency: 'USD' };
  await givenOrderWith(shop, buyer, await givenCoupon(shop, buyer, amount));
  orders = { held: held.paymentId, closed: closed.paymentId, paid: paid.paymentId };
  await keep();
});
afterAll(async () => {
  await admin.end();
  await shop.closeAll();
});

const nobody = '00000000-0000-0000-0000-000000000000';

async function audit(): Promise<string[]> {
  const { query, close } = await openDatabase(shop.databaseUrl);
  try {
    return (await checkCoupons(query, { after: nobody, last: undefined })).map(
      ({ id, text }) => `${id} ${text}`,
    );
  } finally {
    await close();
  }
}

test('the coupon audit finds no violation in correctly used coupons', async () => {
  expect(await audit()).toEqual([]);
});

const discount = (minor: string) =>
  `update orders set snapshot = jsonb_set(snapshot, '{coupon,discountMinor}', '"${minor}"')`;

test.each([
  [
    'an order costs less than its coupon leaves',
    `update orders set amount_minor = 1 where payment_id = {paid}`,
    /^I7 order \S+ costs 1, its coupon leaves 349 of 499$/,
  ],
  [
    'an order has a larger discount than the cap of its coupon',
    `${discount('249')}, amount_minor = 250 where payment_id = {paid}`,
    /^I7 order \S+ costs 250, its coupon leaves 349 of 499$/,
  ],
  [
    'a percentage discount was rounded up',
    `${discount('75')}, amount_minor = 424 where payment_id = {held}`,
    /^I7 order \S+ costs 424, its coupon leaves 425 of 499$/,
  ],
  [
    'a coupon template was changed after its coupons were issued',
    `update coupon_templates set basis_points = 2000 where basis_points = 1500`,
    /^I7 order \S+ costs 425, its coupon leaves 400 of 499$/,
  ],
  [
    'an order paid in points has a discount',
    `update orders set currency = 'EPOINT' where payment_id = {held}`,
    /^I7 order \S+ costs 425, its coupon leaves 425 of 499$/,
  ],
  [
    'an order has no discount in its snapshot although it holds a coupon',
    `update orders set snapshot = snapshot - 'coupon' where payment_id = {held}`,
    /^I7 order \S+ holds coupon \S+ and says none$/,
  ],
  [
    'a coupon is used by two orders',
    `update orders set state = 'arrived', closed_reason = null, paid_at = now()
     where payment_id = {closed}`,
    /^I7 coupon \S+ was used by 2 orders$/,
  ],
  [
    'a paid order has released its coupon',
    `update coupon_uses set released_at = now() where payment_id = {paid}`,
    /^I7 order \S+ is paid and its coupon was given back$/,
  ],
  [
    'a closed order still holds its coupon',
    `drop index one_order_per_coupon;
     update coupon_uses set released_at = null where payment_id = {closed}`,
    /^I7 order \S+ is closed and its coupon is held$/,
  ],
])('the coupon audit finds that %s', async (_what, statement, told) => {
  await admin.query(statement.replace(/\{(\w+)\}/g, (_, name) => `'${orders[name]}'`));
  const lines = await audit();
  await undo();
  expect(lines).toContainEqual(expect.stringMatching(told));
  expect(await audit()).toEqual([]);
});

const tables = ['orders', 'coupon_uses', 'coupon_templates'];

async function keep(): Promise<void> {
  for (const table of tables) {
    await admin.query(`create temp table kept_${table} as table ${table}`);
  }
}

async function undo(): Promise<void> {
  for (const table of tables) {
    // Generated columns cannot be written.
    const { rows } = await admin.query<{ list: string }>(
      `select string_agg(quote_ident(attname), ', ') as list from pg_attribute
       where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
      [table],
    );
    const list = rows[0]?.list;
    await admin.query(`delete from ${table};
      insert into ${table} (${list}) select ${list} from kept_${table}`);
  }
}
