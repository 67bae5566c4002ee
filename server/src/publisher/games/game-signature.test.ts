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

test('what the shop signs, it would accept itself', () => {
  expect(read(signatureOf('first', body.toString(), nowMs))).toBe(t);
});

test('both live secrets are good, also together, and the header may be written with spaces', () => {
  expect(read(`t=${t},v1=${hmac('second')}`)).toBe(t);
  expect(read(`v1=${hmac('old')}, v1=${hmac('first')}, t=${t}`)).toBe(t);
});

test('five minutes is the limit, either way', () => {
  for (const time of [t - 300, t + 300]) {
    expect(read(`t=${time},v1=${hmac('first', time)}`)).toBe(time);
  }
  for (const time of [t - 301, t + 301]) {
    expect(read(`t=${time},v1=${hmac('first', time)}`)).toBeUndefined();
  }
});

describe('refused is', () => {
  test.each([
    ['nothing', ''],
    ['another secret', `t=${t},v1=${hmac('third')}`],
    ['another body', `t=${t},v1=${hmac('first', t, '{}')}`],
    ['another time than the signed one', `t=${t - 1},v1=${hmac('first')}`],
    ['no time', `v1=${hmac('first')}`],
    ['two times', `t=${t},t=${t},v1=${hmac('first')}`],
    ['a time that is no number of seconds', `t=0${t},v1=${hmac('first', `0${t}`)}`],
    ['a signature cut short', `t=${t},v1=${hmac('first').slice(0, 62)}`],
    ['a signature in capitals', `t=${t},v1=${hmac('first').toUpperCase()}`],
    ['another version', `t=${t},v0=${hmac('first')}`],
    ['a signature beside its name', `t=${t},${hmac('first')}`],
  ])('%s', (_what, header) => {
    expect(read(header)).toBeUndefined();
  });

  test('everything, where no secret is known', () => {
    expect(read(`t=${t},v1=${hmac('')}`, [])).toBeUndefined();
  });
});
