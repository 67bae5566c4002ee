import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { signatureOf, signedAt } from './game-signature.ts';

const nowMs = 1_800_000_000_999;
const t = 1_800_000_000;
const body = Buffer.from('{"gameId":"solmere"}');
const hmac = (secret: string, time: number | string = t, signed: string | Buffer = body) =>
  createHmac('sha256', secret).update(`${time}.`).update(signed).digest('hex');
const read = (header: string, secrets = ['first', 'second']) =>
  signedAt(header, { body, secrets, nowMs });

test('a signature that the shop makes for a call to a game passes the signature check of the shop', () => {
  expect(read(signatureOf('first', body.toString(), nowMs))).toBe(t);
});

test('a call signed by a game with either of its two secrets is accepted, also with an additional outdated signature', () => {
  expect(read(`t=${t},v1=${hmac('second')}`)).toBe(t);
  expect(read(`v1=${hmac('old')}, v1=${hmac('first')}, t=${t}`)).toBe(t);
});

test('a call signed by a game is accepted up to five minutes before or after its signature time, and refused beyond', () => {
  for (const time of [t - 300, t + 300]) {
    expect(read(`t=${time},v1=${hmac('first', time)}`)).toBe(time);
  }
  for (const time of [t - 301, t + 301]) {
    expect(read(`t=${time},v1=${hmac('first', time)}`)).toBeUndefined();
  }
});

describe('refused game signatures', () => {
  test.each([
    ['no content', ''],
    ['another secret', `t=${t},v1=${hmac('third')}`],
    ['another body', `t=${t},v1=${hmac('first', t, '{}')}`],
    ['another time than the signed time', `t=${t - 1},v1=${hmac('first')}`],
    ['no time', `v1=${hmac('first')}`],
    ['two times', `t=${t},t=${t},v1=${hmac('first')}`],
    ['a time with a leading zero', `t=0${t},v1=${hmac('first', `0${t}`)}`],
    ['a truncated signature', `t=${t},v1=${hmac('first').slice(0, 62)}`],
    ['a signature in capitals', `t=${t},v1=${hmac('first').toUpperCase()}`],
    ['another version', `t=${t},v0=${hmac('first')}`],
    ['a signature without its name', `t=${t},${hmac('first')}`],
  ])('a call of a game whose signature header has %s is refused', (_what, header) => {
    expect(read(header)).toBeUndefined();
  });

  test('a call signed by a game is refused when no secret is configured for that game', () => {
    expect(read(`t=${t},v1=${hmac('')}`, [])).toBeUndefined();
  });
});
