import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type GameProgram,
  givenRecharge,
  nextSecret,
  secret,
  signatureOf,
  startGame,
} from '../../test/game.ts';

let game: GameProgram;
beforeAll(async () => {
  game = await startGame();
});
afterAll(async () => await game.stop());

const refused = { status: 401, body: { error: 'bad_signature' } };
const now = () => Math.floor(Date.now() / 1000);

test.each(['roles.query', 'recharge.validate', 'recharge.deliver', 'recharge.revoke'])(
  '%s without a good signature is refused',
  async (call) => {
    const body = givenRecharge();

    expect(await game.call(call, body, { header: '' })).toEqual(refused);
    expect(await game.call(call, body, { header: `t=${now()}` })).toEqual(refused);
    expect(await game.call(call, body, { header: `t=${now()},v1=abc` })).toEqual(refused);
    expect(await game.call(call, body, { secrets: ['a secret of someone else'] })).toEqual(refused);
    expect(await game.grants(body.paymentId)).toEqual([]);
  },
);

test('a signature covers every byte: one more space is refused', async () => {
  const body = JSON.stringify(givenRecharge());

  expect(await game.call('recharge.deliver', `${body} `, { header: signatureOf(body) })).toEqual(
    refused,
  );
});

test.each([
  ['older', -310],
  ['from further ahead', 310],
])('a signature %s than five minutes is refused', async (_which, offset) => {
  const sent = game.call('recharge.validate', givenRecharge(), { atSeconds: now() + offset });

  expect(await sent).toEqual(refused);
});

test.each([
  ['a little old', -290],
  ['a little ahead', 290],
])('a signature that is %s is accepted', async (_which, offset) => {
  const sent = game.call('recharge.validate', givenRecharge(), { atSeconds: now() + offset });

  expect(await sent).toEqual({ status: 200, body: { result: 'ok' } });
});

test.each([
  ['the secret of today', [secret]],
  ['the secret of tomorrow', [nextSecret]],
  ['both while one replaces the other', [secret, nextSecret]],
  ['one that is known and one that is not', ['retired', secret]],
])('a call signed with %s is accepted', async (_which, secrets) => {
  const sent = game.call('recharge.validate', givenRecharge(), { secrets });

  expect(await sent).toEqual({ status: 200, body: { result: 'ok' } });
});

test('two times in one header are refused, so nobody can choose between them', async () => {
  const body = JSON.stringify(givenRecharge());
  const header = `t=${now() - 4000},${signatureOf(body)}`;

  expect(await game.call('recharge.validate', body, { header })).toEqual(refused);
});
