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

test('what a device has signed is opened', () => {
  const sent = batch();
  expect(read(sign(sent, keyOf()))).toEqual({ batch: sent });
});

test('a key from before the change still opens, one that is gone does not', () => {
  const older = keyOf(masters.slice(1));
  const text = sign(givenBatch(older, [1], { sent_at: nowMs }), older);
  expect(read(text)).toHaveProperty('batch');
  expect(read(text, { masters: masters.slice(0, 1) })).toEqual({ refusal: 'wrong_key' });
});

describe('what was changed on its way is refused', () => {
  const change = (edit: (envelope: { kid: string; sig: string; body: string }) => object) =>
    JSON.stringify(edit(JSON.parse(signed())));
  test.each([
    ['a letter', change((it) => ({ ...it, body: it.body.replace('recharge', 'Recharge') }))],
    ['a space', change((it) => ({ ...it, body: `${it.body} ` }))],
    ['the time', change((it) => ({ ...it, body: it.body.replace(`${nowMs}`, `${nowMs + 1}`) }))],
    ['the device', change((it) => ({ ...it, body: it.body.replace(did, did.replace('1', '2')) }))],
    ['the signature', change((it) => ({ ...it, sig: 'ab'.repeat(32) }))],
  ])('%s', (_what, text) => {
    expect(read(text)).toEqual({ refusal: 'wrong_signature' });
  });

  test('also for another site', () => {
    expect(read(signed(), { siteId: 'other' })).toEqual({ refusal: 'wrong_signature' });
    expect(read(signed({ brandId: 'others' }))).toEqual({ refusal: 'wrong_site' });
  });

  test('and so is a key that is named twice in two ways', () => {
    const text = change((it) => ({ ...it, kid: 'before' }));
    expect(read(text)).toEqual({ refusal: 'malformed' });
  });

  test('the signature of the master itself is none of a device', () => {
    const body = JSON.stringify(batch());
    const sig = createHmac('sha256', Buffer.alloc(32, 7))
      .update(`v1\nnow\n${nowMs}\n${body}`)
      .digest('hex');
    expect(read(JSON.stringify({ kid: 'now', sig, body }))).toEqual({ refusal: 'wrong_signature' });
  });
});

describe('the clock', () => {
  const hour = 3_600_000;
  const ageOf = (ms: number, offset: number | null = 0) =>
    read(signed({ sent_at: nowMs - ms, offset_ms: offset }));
  test.each([
    ['a day old', 24 * hour, 0, undefined],
    ['older', 24 * hour + 1, 0, 'stale'],
    ['a clock that is days slow, and known to be', 72 * hour, 72 * hour, undefined],
    ['a clock that is days slow, and not known to be', 72 * hour, null, 'stale'],
    ['ten minutes ahead', -hour / 6, 0, undefined],
    ['further ahead', -hour / 6 - 1, 0, 'future'],
    ['a clock that is days fast, and known to be', -72 * hour, -72 * hour, undefined],
    ['an hour late by a false offset', 0, -25 * hour, 'stale'],
  ])('%s', (_what, ms, offset, refusal) => {
    const outcome = ageOf(ms, offset);
    expect('refusal' in outcome ? outcome.refusal : undefined).toBe(refusal);
  });
});

describe('what is no batch is refused', () => {
  test.each([
    ['nothing', ''],
    ['no JSON', '{'],
    ['null', 'null'],
    ['a list', '[]'],
    ['a number', '1'],
    ['no envelope', JSON.stringify(batch())],
    ['an envelope with more in it', signed().replace('{', '{"extra":1,')],
    ['an envelope with a prototype', signed().replace('{', '{"__proto__":{},')],
    ['a signature in capitals', signed().replace(/"sig":"\w+"/, `"sig":"${'AB'.repeat(32)}"`)],
    ['a body that is no text', signed().replace(/"body":".*"/, '"body":{}')],
    ['a body that is no JSON', JSON.stringify({ kid: 'now', sig: 'a'.repeat(64), body: '{' })],
    ['deep lists', JSON.stringify({ kid: 'now', sig: 'a'.repeat(64), body: '['.repeat(9_000) })],
    ['no events', signed({ events: [] })],
    ['too many events', signed({ events: Array(101).fill(1) })],
    ['another version', signed({ v: 2 })],
    ['an unknown field', signed({ extra: 1 })],
    ['an unknown language', signed({ lng: 'tlh' })],
    ['an unknown browser', signed({ env: ['toaster'] })],
    ['a device that is no id', signed({ did: 'pia@example.com' })],
    ['a session that is no id', signed({ sid: '../x' })],
    ['half a millisecond', signed({ sent_at: 0.5 })],
    ['a game that is a phone number', signed({ gameId: '13800138000' })],
  ])('%s', (_what, text) => {
    expect(read(text)).toEqual({ refusal: 'malformed' });
  });

  test('bytes that are no text', () => {
    expect(readBatch(Buffer.from([0xff, 0xfe, 0x00]), of)).toEqual({ refusal: 'malformed' });
  });
});

test('16 KB is the most, counted in bytes', () => {
  const filled = (text: string, bytes: number) => {
    const empty = Buffer.byteLength(JSON.stringify(batch({ events: [''] })));
    const times = Math.floor((bytes - empty) / Buffer.byteLength(text));
    return signed({ events: [text.repeat(times)] });
  };
  expect(read(filled('a', batchBytesMax))).toHaveProperty('batch');
  expect(read(filled('a', batchBytesMax + 1))).toEqual({ refusal: 'too_large' });
  expect(read(filled('王', batchBytesMax + 3))).toEqual({ refusal: 'too_large' });
});
