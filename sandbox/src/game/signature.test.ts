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
  'the game sandbox refuses the call %s with a missing, malformed or wrong signature',
  async (call) => {
    const body = givenRecharge();

    expect(await game.call(call, body, { header: '' })).toEqual(refused);
    expect(await game.call(call, body, { header: `t=${now()}` })).toEqual(refused);
    expect(await game.call(call, body, { header: `t=${now()},v1=abc` })).toEqual(refused);
    expect(await game.call(call, body, { secrets: ['a secret of someone else'] })).toEqual(refused);
    expect(await game.grants(body.paymentId)).toEqual([]);
  },
);

test('the game sandbox refuses a call whose body got an extra space after the call was signed', async () => {
  const body = JSON.stringify(givenRecharge());

  expect(await game.call('recharge.deliver', `${body} `, { header: signatureOf(body) })).toEqual(
    refused,
  );
});

test.each([
  ['more than five minutes old', -310],
  ['more than five minutes ahead', 310],
])('the game sandbox refuses a call with a signature %s', async (_which, offset) => {
  const sent = game.call('recharge.validate', givenRecharge(), { atSeconds: now() + offset });

  expect(await sent).toEqual(refused);
});

test.each([
  ['less than five minutes old', -290],
  ['less than five minutes ahead', 290],
])('the game sandbox accepts a call with a signature %s', async (_which, offset) => {
  const sent = game.call('recharge.validate', givenRecharge(), { atSeconds: now() + offset });

  expect(await sent).toEqual({ status: 200, body: { result: 'ok' } });
});

test.each([
  ['the current secret', [secret]],
  ['the next secret', [nextSecret]],
  ['both the current and the next secret', [secret, nextSecret]],
  ['a known and an unknown secret', ['retired', secret]],
])('the game sandbox accepts a call signed with %s', async (_which, secrets) => {
  const sent = game.call('recharge.validate', givenRecharge(), { secrets });

  expect(await sent).toEqual({ status: 200, body: { result: 'ok' } });
});

test('the game sandbox refuses a call whose signature has two timestamps', async () => {
  const body = JSON.stringify(givenRecharge());
  const header = `t=${now() - 4000},${signatureOf(body)}`;

  expect(await game.call('recharge.validate', body, { header })).toEqual(refused);
});
