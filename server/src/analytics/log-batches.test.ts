import { createHmac } from 'node:crypto';
import { batchBytesMax } from '@pointgate/contract/log-events.ts';
import { describe, expect, test } from 'vitest';
import { givenBatch, givenEvent, sign } from '../../test/analytics.ts';
import { readBatch } from './log-batches.ts';
import { currentKey } from './logger-keys.ts';

const masters = [
  { id: 'now', key: Buffer.alloc(32, 7) },
  { id: 'before', key: Buffer.alloc(32, 9) },
];
const nowMs = Date.UTC(2026, 10, 15, 9, 30);
const did = '01930000-0000-7000-8000-000000000001';
const of = { masters, siteId: 'solmere', brandId: 'omni', nowMs };

function keyOf(which = masters) {
  const key = currentKey(which, { siteId: 'solmere', did });
  if (key === undefined) throw new Error('there is no key');
  return key;
}

const batch = (changes: object = {}) =>
  givenBatch(keyOf(), [givenEvent()], { sent_at: nowMs, ...changes });
const read = (text: string, changes: object = {}) =>
  readBatch(Buffer.from(text), { ...of, ...changes });
const signed = (changes: object = {}) => sign(batch(changes), keyOf());

test('an analytics batch signed with its device key is accepted', () => {
  const sent = batch();
  expect(read(sign(sent, keyOf()))).toEqual({ batch: sent });
});

test('an analytics batch signed under the previous shop key is accepted until that key is removed', () => {
  const older = keyOf(masters.slice(1));
  const text = sign(givenBatch(older, [1], { sent_at: nowMs }), older);
  expect(read(text)).toHaveProperty('batch');
  expect(read(text, { masters: masters.slice(0, 1) })).toEqual({ refusal: 'wrong_key' });
});

describe('changed batches', () => {
  const change = (edit: (envelope: { kid: string; sig: string; body: string }) => object) =>
    JSON.stringify(edit(JSON.parse(signed())));
  test.each([
    [
      'a changed letter',
      change((it) => ({ ...it, body: it.body.replace('recharge', 'Recharge') })),
    ],
    ['an added space', change((it) => ({ ...it, body: `${it.body} ` }))],
    [
      'a changed time',
      change((it) => ({ ...it, body: it.body.replace(`${nowMs}`, `${nowMs + 1}`) })),
    ],
    [
      'a changed device',
      change((it) => ({ ...it, body: it.body.replace(did, did.replace('1', '2')) })),
    ],
    ['a changed signature', change((it) => ({ ...it, sig: 'ab'.repeat(32) }))],
  ])(
    'an analytics batch with %s is refused because its signature does not match',
    (_what, text) => {
      expect(read(text)).toEqual({ refusal: 'wrong_signature' });
    },
  );

  test('an analytics batch signed for one site is refused on another', () => {
    expect(read(signed(), { siteId: 'other' })).toEqual({ refusal: 'wrong_signature' });
    expect(read(signed({ brandId: 'others' }))).toEqual({ refusal: 'wrong_site' });
  });

  test('an analytics batch whose envelope and body name different keys is refused', () => {
    const text = change((it) => ({ ...it, kid: 'before' }));
    expect(read(text)).toEqual({ refusal: 'malformed' });
  });

  test('an analytics batch signed with the master key instead of a device key is refused', () => {
    const body = JSON.stringify(batch());
    const sig = createHmac('sha256', Buffer.alloc(32, 7))
      .update(`v1\nnow\n${nowMs}\n${body}`)
      .digest('hex');
    expect(read(JSON.stringify({ kid: 'now', sig, body }))).toEqual({ refusal: 'wrong_signature' });
  });
});

describe('batch clocks', () => {
  const hour = 3_600_000;
  const ageOf = (ms: number, offset: number | null = 0) =>
    read(signed({ sent_at: nowMs - ms, offset_ms: offset }));
  test.each([
    ['of exactly one day is accepted', 24 * hour, 0, undefined],
    ['older than one day is refused as stale', 24 * hour + 1, 0, 'stale'],
    ['from a clock known to be three days slow is accepted', 72 * hour, 72 * hour, undefined],
    [
      'from a clock that is three days slow without a known offset is refused as stale',
      72 * hour,
      null,
      'stale',
    ],
    ['dated ten minutes ahead is accepted', -hour / 6, 0, undefined],
    ['dated more than ten minutes ahead is refused', -hour / 6 - 1, 0, 'future'],
    ['from a clock known to be three days fast is accepted', -72 * hour, -72 * hour, undefined],
    ['that is 25 hours old by its own offset is refused as stale', 0, -25 * hour, 'stale'],
  ])('the age limit for analytics batches: a batch %s', (_what, ms, offset, refusal) => {
    const outcome = ageOf(ms, offset);
    expect('refusal' in outcome ? outcome.refusal : undefined).toBe(refusal);
  });
});

describe('malformed batches', () => {
  test.each([
    ['an empty body', ''],
    ['a body that is not JSON', '{'],
    ['null', 'null'],
    ['a list', '[]'],
    ['a number', '1'],
    ['a batch without an envelope', JSON.stringify(batch())],
    ['an envelope with an extra field', signed().replace('{', '{"extra":1,')],
    ['an envelope with a __proto__ field', signed().replace('{', '{"__proto__":{},')],
    ['a signature in upper case', signed().replace(/"sig":"\w+"/, `"sig":"${'AB'.repeat(32)}"`)],
    ['an envelope whose body is not text', signed().replace(/"body":".*"/, '"body":{}')],
    [
      'an envelope whose body is not JSON',
      JSON.stringify({ kid: 'now', sig: 'a'.repeat(64), body: '{' }),
    ],
    [
      'deeply nested lists',
      JSON.stringify({ kid: 'now', sig: 'a'.repeat(64), body: '['.repeat(9_000) }),
    ],
    ['a batch without events', signed({ events: [] })],
    ['a batch with too many events', signed({ events: Array(101).fill(1) })],
    ['a batch of another version', signed({ v: 2 })],
    ['a batch with an unknown field', signed({ extra: 1 })],
    ['a batch with an unknown language', signed({ lng: 'tlh' })],
    ['a batch with an unknown browser', signed({ env: ['toaster'] })],
    ['a batch with a malformed device id', signed({ did: 'pia@example.com' })],
    ['a batch with a malformed session id', signed({ sid: '../x' })],
    ['a batch with a fractional time', signed({ sent_at: 0.5 })],
    ['a batch with a phone number as its game id', signed({ gameId: '13800138000' })],
  ])('the analytics batch reader refuses %s as malformed', (_what, text) => {
    expect(read(text)).toEqual({ refusal: 'malformed' });
  });

  test('the analytics batch reader refuses bytes that are not UTF-8 as malformed', () => {
    expect(readBatch(Buffer.from([0xff, 0xfe, 0x00]), of)).toEqual({ refusal: 'malformed' });
  });
});

test('an analytics batch of more than 16 KB, counted in bytes, is refused as too large', () => {
  const filled = (text: string, bytes: number) => {
    const empty = Buffer.byteLength(JSON.stringify(batch({ events: [''] })));
    const times = Math.floor((bytes - empty) / Buffer.byteLength(text));
    return signed({ events: [text.repeat(times)] });
  };
  expect(read(filled('a', batchBytesMax))).toHaveProperty('batch');
  expect(read(filled('a', batchBytesMax + 1))).toEqual({ refusal: 'too_large' });
  expect(read(filled('王', batchBytesMax + 3))).toEqual({ refusal: 'too_large' });
});
