import { describe, expect, test } from 'vitest';
import { looksPrivate } from './private-values.ts';

const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ4In0.c2ln';

describe('private values', () => {
  test.each([
    'pia@example.com',
    'pia%40example.com',
    '/main/home/pia@mail.example.com/x',
    'ｐｉａ＠example．com',
    '+8613800138000',
    '138-0013-8000',
    '(0)30 1234 5678',
    '１３８００１３８０００',
    '110101199003070731',
    '192.168.100.200',
    jwt,
    `/main/home/${jwt}`,
    `tk_${'a'.repeat(43)}`,
    '9f86d081884c7d659a2feaa0c55ad015',
    'oLVPpjqs9BhvzwPj5A-vTYAX3GLc',
    'x'.repeat(513),
    13_800_138_000,
    -13_800_138_000,
  ])('the value %j in an analytics event counts as private', (value) => {
    expect(looksPrivate(value)).toBe(true);
    expect(looksPrivate({ p: { inner: [value] } })).toBe(true);
  });

  test('an analytics event counts as private if a field name is a mail address or if its values are nested too deeply to be searched', () => {
    expect(looksPrivate({ 'pia@example.com': 1 })).toBe(true);
    let deep: unknown = 'nothing';
    for (let depth = 0; depth < 5_000; depth += 1) deep = [deep];
    expect(looksPrivate(deep)).toBe(true);
  });

  test('a text in an analytics event that contains a phone number in front of an id counts as private', () => {
    expect(looksPrivate('13800138000 01930000-0000-7000-8000-000000000001')).toBe(true);
  });
});

describe('values that are not private', () => {
  test.each([
    '/main/recharge',
    '/dream/recharge/solmere',
    '/main/recharge/detail/01930000-0000-7000-8000-000000000001',
    '00000000-0000-4000-8000-000000000000',
    '2026-11-15 09:30:00',
    'https://shop.example.com:8443/main/home',
    'http://127.0.0.1:5173/',
    'web_payment_login_result',
    'LOGIN_NAME_PASSWD_AUTH',
    'GooglePGAccountNotFound',
    'privacy-policy-and-user-agreement',
    '',
    3_600_000,
    86_400_000,
    true,
    null,
    undefined,
  ])('the value %j in an analytics event does not count as private', (value) => {
    expect(looksPrivate(value)).toBe(false);
    expect(looksPrivate({ p: [value] })).toBe(false);
  });
});
