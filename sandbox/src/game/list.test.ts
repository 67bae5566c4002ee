import { afterAll, beforeAll, expect, test } from 'vitest';
import { type GameProgram, givenRecharge, startGame } from '../../test/game.ts';

let game: GameProgram;
beforeAll(async () => {
  game = await startGame();
});
afterAll(async () => await game.stop());

/** Payment ids in ascending order; each payment delivers 60 gems. */
const ids = ['1', '2', '3'].map((digit) => `0000000${digit}-0000-7000-8000-000000000000`);
const until = '00000004-0000-7000-8000-000000000000';

function list(gameId: string, changes: object = {}) {
  const asked = { sandbox: true, gameId, from: ids[0], until, cursor: null, limit: 10 };
  return game.call('recharge.list', { ...asked, ...changes });
}

async function give(gameId: string, changes: object = {}) {
  for (const paymentId of ids) {
    await game.call('recharge.deliver', givenRecharge({ gameId, paymentId, ...changes }));
  }
}

const entry = (paymentId: string | undefined, gameId: string, what = 'given') => ({
  paymentId,
  gameId,
  what,
  serverId: 's12',
  roleId: 'r_aveline',
  gameAccountId: 'ga_aveline',
  items: [{ sku: 'gems_60', quantity: 1 }],
  at: expect.stringMatching(/^\d{4}-.*Z$/),
});

test('recharge.list of the game sandbox pages through deliveries and revocations in the order of payment ids', async () => {
  await give('listed');
  const revocation = { sandbox: true, paymentId: ids[1], reason: 'refund' };
  await game.call('recharge.revoke', revocation);
  await game.call('recharge.revoke', revocation);

  const entries: unknown[] = [];
  let cursor: unknown = null;
  let pages = 0;
  do {
    const { status, body } = await list('listed', { cursor, limit: 3 });
    expect(status).toBe(200);
    const page = Object(body);
    entries.push(...page.entries);
    cursor = page.next;
    pages += 1;
  } while (cursor !== null);

  expect(pages).toBe(2);
  expect(entries).toEqual([
    entry(ids[0], 'listed'),
    entry(ids[1], 'listed'),
    entry(ids[1], 'listed', 'revoked'),
    entry(ids[2], 'listed'),
  ]);
});

test('recharge.list of the game sandbox includes the first payment id of its range and excludes the last', async () => {
  expect(await list('listed', { from: ids[2] })).toMatchObject({
    body: { entries: [{ paymentId: ids[2] }], next: null },
  });
  expect(await list('listed', { until: ids[1] })).toMatchObject({
    body: { entries: [{ paymentId: ids[0] }], next: null },
  });
});

test('recharge.list of the game sandbox leaves out other games, and test deliveries from a live request', async () => {
  expect(await list('unlisted')).toMatchObject({ body: { entries: [], next: null } });
  expect(await list('listed', { sandbox: false })).toMatchObject({ body: { entries: [] } });
});

test('the game sandbox refuses recharge.list with a wrong signature', async () => {
  const asked = { sandbox: true, gameId: 'listed', from: ids[0], until, cursor: null, limit: 10 };
  expect(await game.call('recharge.list', asked, { secrets: ['another'] })).toMatchObject({
    status: 401,
  });
});
