import { signedText } from '@pointgate/contract/analytics.ts';
import { describe, expect, test } from 'vitest';
import { currentKey, verify } from './logger-keys.ts';

const did = '01930000-0000-7000-8000-000000000001';
const device = { siteId: 'solmere', did };
const now = { id: 'k1', key: Buffer.alloc(32, 7) };
const before = { id: 'k0', key: Buffer.alloc(32, 9) };

// Key and signature were computed by an independent program in another language.
const deviceKey = 'd11f33bee0cc05357054e707fbc917bd5745013b7558dcde0566eb385de29b73';
const signed = {
  ...device,
  kid: 'k1',
  sentAt: 1_763_200_000_000,
  body: '{"hello":"wörld"}',
  sig: '8485d02c9c5d8bd0a027fe4ceeb4fdca27f20a7412a8d74d12b3fc948b4cfe98',
};

test('the analytics device key and signature equal those computed by an independent program', () => {
  expect(currentKey([now, before], device)).toEqual({ kid: 'k1', did, key: deviceKey });
  expect(signedText(signed)).toBe('v1\nk1\n1763200000000\n{"hello":"wörld"}');
  expect(verify([now], signed)).toBe('ok');
});

test('a shop without analytics master keys gives browsers no signing key and accepts no signature of an analytics batch', () => {
  expect(currentKey([], device)).toBeUndefined();
  expect(verify([], signed)).toBe('wrong_key');
});

test('an analytics signature made before a rotation of the master key is accepted as long as the old master key is configured', () => {
  expect(verify([{ id: 'k2', key: Buffer.alloc(32, 1) }, now], signed)).toBe('ok');
  expect(verify([before], signed)).toBe('wrong_key');
  expect(verify([{ ...before, id: 'k1' }], signed)).toBe('wrong_signature');
});

describe('batch signatures', () => {
  test.each([
    ['another site', { siteId: 'other' }],
    ['another device', { did: did.replace('1', '2') }],
    ['another time', { sentAt: signed.sentAt + 1 }],
    ['another text', { body: `${signed.body} ` }],
    ['a changed signature', { sig: signed.sig.replace('8', '9') }],
    ['a truncated signature', { sig: signed.sig.slice(0, 32) }],
    ['an empty signature', { sig: '' }],
  ])('the signature check of an analytics batch fails for %s', (_what, changes) => {
    expect(verify([now, before], { ...signed, ...changes })).toBe('wrong_signature');
  });

  test('an analytics signature made under one key of the shop is refused under another', () => {
    expect(verify([now, before], { ...signed, kid: 'k0' })).toBe('wrong_signature');
  });
});
