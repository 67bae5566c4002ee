import { signedText } from '@pointgate/contract/analytics.ts';
import { describe, expect, test } from 'vitest';
import { currentKey, verify } from './logger-keys.ts';

const did = '01930000-0000-7000-8000-000000000001';
const device = { siteId: 'solmere', did };
const now = { id: 'k1', key: Buffer.alloc(32, 7) };
const before = { id: 'k0', key: Buffer.alloc(32, 9) };

// Both numbers were made by another program in another language.
const deviceKey = 'd11f33bee0cc05357054e707fbc917bd5745013b7558dcde0566eb385de29b73';
const signed = {
  ...device,
  kid: 'k1',
  sentAt: 1_763_200_000_000,
  body: '{"hello":"wörld"}',
  sig: '8485d02c9c5d8bd0a027fe4ceeb4fdca27f20a7412a8d74d12b3fc948b4cfe98',
};

test('a key and a signature are what everybody else computes', () => {
  expect(currentKey([now, before], device)).toEqual({ kid: 'k1', did, key: deviceKey });
  expect(signedText(signed)).toBe('v1\nk1\n1763200000000\n{"hello":"wörld"}');
  expect(verify([now], signed)).toBe('ok');
});

test('a shop without keys hands none out', () => {
  expect(currentKey([], device)).toBeUndefined();
  expect(verify([], signed)).toBe('wrong_key');
});

test('while keys change, what was signed with the one before still counts', () => {
  expect(verify([{ id: 'k2', key: Buffer.alloc(32, 1) }, now], signed)).toBe('ok');
  expect(verify([before], signed)).toBe('wrong_key');
  expect(verify([{ ...before, id: 'k1' }], signed)).toBe('wrong_signature');
});

describe('a signature is for one site, device, key, moment and text', () => {
  test.each([
    ['site', { siteId: 'other' }],
    ['device', { did: did.replace('1', '2') }],
    ['moment', { sentAt: signed.sentAt + 1 }],
    ['text', { body: `${signed.body} ` }],
    ['signature', { sig: signed.sig.replace('8', '9') }],
    ['half a signature', { sig: signed.sig.slice(0, 32) }],
    ['no signature', { sig: '' }],
  ])('another %s', (_what, changes) => {
    expect(verify([now, before], { ...signed, ...changes })).toBe('wrong_signature');
  });

  test('another key of the shop', () => {
    expect(verify([now, before], { ...signed, kid: 'k0' })).toBe('wrong_signature');
  });
});
