import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { auditDatabase } from '../../auditor/src/audit-database.ts';
import { askOutside } from '../../auditor/src/outside/ask-outside.ts';
import { type Forger, openForger } from './test/forger.ts';
import { gifts } from './test/forgeries/delivery.ts';
import type { PreparedShop } from './test/prepared-shop.ts';
import { firstOrder } from './test/scenarios.ts';
import { openSmallShop } from './test/small-shop.ts';

let small: PreparedShop;
let forger: Forger;
beforeAll(async () => {
  small = await openSmallShop();
  forger = await openForger(small);
}, 30 * 60_000);
afterAll(() => small?.close());

const secret = 'a-secret-of-the-game';
const thisMonth = new Date().toISOString().slice(0, 7);

/** Audits with a clock ten minutes ahead, so that nothing counts as still in progress. */
async function audit({
  nowMs = Date.now() + 10 * 60_000,
  key = secret,
  months = undefined as string[] | undefined,
} = {}) {
  const { url: apiUrl } = small.shop.game;
  const games = [{ gameId: 'solmere', apiUrl, secret: key, isSandbox: true }];
  const outside = askOutside({ games }, nowMs);
  const asked = { databaseUrl: small.shop.databaseUrl, outside };
  const { findings } = await auditDatabase({
    ...asked,
    ...(months === undefined ? {} : { months }),
  });
  return {
    lines: findings.flatMap(({ id, violations }) => violations.map((line) => `${id} ${line}`)),
    notAsked: findings.flatMap(({ notAsked }) => notAsked),
    goods: findings.find(({ id }) => id === 'I6'),
  };
}

/** Sends a signed call to the game that the shop never made. */
async function tellGame(call: string, body: object): Promise<void> {
  const raw = JSON.stringify({ sandbox: true, ...body });
  const t = Math.floor(Date.now() / 1000);
  const v1 = createHmac('sha256', secret).update(`${t}.${raw}`).digest('hex');
  const headers = { 'content-type': 'application/json', 'pointgate-signature': `t=${t},v1=${v1}` };
  const { url } = small.shop.game;
  const reply = await fetch(`${url}/${call}`, { method: 'POST', headers, body: raw });
  expect(reply.status).toBe(200);
}

/** The delivery of an order, as the shop sent it. */
async function deliveryOf(scenario: string, changes: object = {}): Promise<object> {
  const { rows } = await small.admin.query(
    `select payment_id as "paymentId", game_id as "gameId", server_id as "serverId",
            role_id as "roleId", game_account_id as "gameAccountId",
            json_build_array(json_build_object('sku', sku,
              'quantity', (pack_quantity + gift_quantity) * pack_count)) as items
     from orders where payment_id = $1`,
    [firstOrder(small.scenarios[scenario]).paymentId],
  );
  return { ...rows[0], ...changes };
}

test('an audit that asks a game with matching records checks each grant and revocation without a violation', async () => {
  // Four orders were granted, and two of them revoked.
  expect(await audit()).toMatchObject({ lines: [], notAsked: [], goods: { checked: 6 } });
  expect(await audit({ months: [thisMonth] })).toMatchObject({ lines: [], goods: { checked: 6 } });
});

test.each(gifts)('an audit that asks the game finds that %s', async (_what, statement, told) => {
  await forger.forge(statement);
  const { lines } = await audit();
  await forger.undo();
  expect(lines).toContainEqual(expect.stringMatching(told));
});

test('an audit compares the goods of an erased account with the game, but not their receiver', async () => {
  await forger.forge(`update orders set role_id = 'erased-1' where payment_id = {arrived}`);
  const { lines } = await audit();
  expect(lines).toContainEqual(expect.stringMatching(/^I6 order \S+ was for .* \/ erased-1 /));

  await small.admin.query('create table bound as table game_accounts; delete from game_accounts');
  expect(await audit()).toMatchObject({ lines: [], goods: { checked: 6 } });
  await small.admin.query('insert into game_accounts select * from bound; drop table bound');
  await forger.undo();
});

test('an audit reports a game that rejects the signature of the auditor, and still checks everything else', async () => {
  await forger.forge(`update orders set amount_minor = 1 where payment_id = {arrived}`);
  const { lines, notAsked } = await audit({ key: 'another-secret' });
  await forger.undo();
  expect(notAsked).toEqual([{ party: 'game solmere', reason: 'HTTP 401' }]);
  expect(lines).toContainEqual(expect.stringMatching(/^I7 order \S+ costs 1 USD/));
  expect(lines.filter((line) => line.startsWith('I6'))).toEqual([]);
});

test('an audit retries a game that fails twice and then answers', async () => {
  await small.shop.game.tell('/__sandbox/faults', {
    call: 'recharge.list',
    kind: 'http500_before',
    times: 2,
  });
  expect(await audit()).toMatchObject({ lines: [], notAsked: [], goods: { checked: 6 } });
});

// These come last, because the sandbox game keeps its records.
describe('game actions that the shop did not request', () => {
  test('an audit reports goods that a game granted without an order, once a grace period has passed', async () => {
    const now = Date.now().toString(16).padStart(12, '0');
    const paymentId = `${now.slice(0, 8)}-${now.slice(8)}-7000-8000-000000000001`;
    await tellGame('recharge.deliver', await deliveryOf('arrived', { paymentId }));
    expect((await audit({ nowMs: Date.now() })).lines).toEqual([]);
    expect((await audit()).lines).toEqual([`I6 order ${paymentId} is no order and was given for`]);
  });

  test('an audit that asks the game finds goods that were granted twice', async () => {
    await small.shop.game.tell('/__sandbox/dedupe', { enabled: false });
    await tellGame('recharge.deliver', await deliveryOf('retried'));
    const { paymentId } = firstOrder(small.scenarios.retried);
    expect((await audit()).lines).toContainEqual(`I6 order ${paymentId} was given 2 times`);
  });

  test('an audit finds goods that a game revoked without a request of the shop', async () => {
    const { paymentId } = firstOrder(small.scenarios.arrived);
    await tellGame('recharge.revoke', { paymentId, reason: 'refund' });
    expect((await audit()).lines).toContainEqual(
      `I6 order ${paymentId} was revoked by the game as revoked, not so here`,
    );
  });
});
