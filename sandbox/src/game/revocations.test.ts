import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type GameProgram, givenRecharge, startGame } from '../../test/game.ts';

let game: GameProgram;
beforeAll(async () => {
  game = await startGame();
});
beforeEach(async () => {
  await game.tell('/__sandbox/reset');
});
afterAll(async () => await game.stop());

const unavailable = { result: 'declined', reason: 'item_unavailable' };

test('the game sandbox revokes a delivered payment once and keeps its grant on record as revoked', async () => {
  const body = givenRecharge();
  await game.call('recharge.deliver', body);
  expect(await game.grants(body.paymentId)).toMatchObject([{ revoked: false }]);

  expect(await revoke(body)).toEqual({ result: 'revoked' });
  expect(await revoke(body)).toEqual({ result: 'already_revoked' });

  expect(await game.grants(body.paymentId)).toMatchObject([{ sku: 'gems_60', revoked: true }]);
  expect(await revocationsOf(body)).toMatchObject([
    { paymentId: body.paymentId, result: 'revoked', reason: 'refunded', times: 2 },
  ]);
});

test('the game sandbox answers not_found when an undelivered payment is revoked, and never delivers it', async () => {
  const body = givenRecharge();
  expect(await revoke(body)).toEqual({ result: 'not_found' });

  expect(await deliver(body)).toEqual(unavailable);

  expect(await game.grants(body.paymentId)).toEqual([]);
  expect(await revocationsOf(body)).toMatchObject([{ result: 'not_found', times: 1 }]);
});

test('the game sandbox declines to deliver a revoked payment again, even when told not to recognise repeated calls', async () => {
  const body = givenRecharge();
  await game.call('recharge.deliver', body);
  await revoke(body);

  expect(await deliver(body)).toEqual(unavailable);

  await game.tell('/__sandbox/dedupe', { enabled: false });
  expect(await deliver(body)).toEqual(unavailable);
  expect(await game.grants(body.paymentId)).toHaveLength(1);
});

test('a hanging recharge.deliver call gives nothing in the game sandbox if its payment is revoked meanwhile', async () => {
  const body = givenRecharge();
  await game.tell('/__sandbox/faults', { call: 'recharge.deliver', kind: 'hang' });
  const late = deliver(body);
  await expect.poll(async () => await deliveriesWaiting()).toBe(true);

  expect(await revoke(body)).toEqual({ result: 'not_found' });

  await game.tell('/__sandbox/release', {});
  expect(await late).toEqual(unavailable);
  expect(await game.grants(body.paymentId)).toEqual([]);
});

test('the game sandbox declines the delivery of a payment after a revocation whose answer was lost', async () => {
  const body = givenRecharge();
  await game.tell('/__sandbox/faults', { call: 'recharge.revoke', kind: 'cut_after_commit' });
  await expect(revoke(body)).rejects.toThrow();

  expect(await deliver(body)).toEqual(unavailable);
});

test('the game sandbox, told to forget revocations of undelivered payments, delivers a payment that was revoked before', async () => {
  await game.tell('/__sandbox/tombstones', { enabled: false });
  const body = givenRecharge();
  expect(await revoke(body)).toEqual({ result: 'not_found' });

  expect(await deliver(body)).toEqual({ result: 'delivered' });
  expect(await revoke(body)).toEqual({ result: 'revoked' });
  expect(await revocationsOf(body)).toMatchObject([{ result: 'revoked', times: 2 }]);
});

test('a revocation fault of the game sandbox can be limited to one game and one server', async () => {
  const [here, there] = [givenRecharge(), givenRecharge({ gameId: 'other' })];
  await game.call('recharge.deliver', here);
  await game.call('recharge.deliver', there);
  await game.tell('/__sandbox/faults', {
    call: 'recharge.revoke',
    kind: 'http500_before',
    gameId: 'other',
    serverId: 's12',
  });

  expect(await revoke(here)).toEqual({ result: 'revoked' });
  expect(await revoke(there)).toEqual({ error: 'internal' });
  expect(await revoke(there)).toEqual({ result: 'revoked' });
});

async function deliver(body: object): Promise<unknown> {
  return (await game.call('recharge.deliver', body)).body;
}

async function revoke({ paymentId }: { paymentId: string }): Promise<unknown> {
  const sent = { sandbox: true, paymentId, reason: 'refunded' };
  return (await game.call('recharge.revoke', sent)).body;
}

async function revocationsOf({ paymentId }: { paymentId: string }): Promise<unknown> {
  const answer = await game.get(`/__sandbox/revocations?paymentId=${paymentId}`);
  return typeof answer === 'object' && answer !== null && 'revocations' in answer
    ? answer.revocations
    : undefined;
}

/** Whether the planned fault was used, which means that the delivery call has arrived. */
async function deliveriesWaiting(): Promise<boolean> {
  const page = await (await fetch(`${game.url}/__sandbox`)).text();
  return /Faults waiting<\/dt><dd>0/.test(page);
}
