import { expect, test } from 'vitest';
import { addressAfterLogin, loginAddress, toSafeRedirect } from './redirect.ts';

const hosts = ['evil.com', 'evil.com/main', 'evil.com:443', 'user@evil.com', '[::1]', '2130706433'];

// Prefixes that a browser may read as the start of another origin.
const starts = [
  '//',
  '///',
  '////',
  '/\\',
  '\\/',
  '\\\\',
  '\\',
  '/\\/',
  '/\t/',
  '/\n/',
  '/\r/',
  '\t//',
  ' //',
  '\u0000//',
  '/ /',
  '/\u00a0/',
  '/.//',
  '/..//',
  '/./\\',
  '/main//',
  '/main/..//',
  '/main/../..//',
  '/%2f',
  '/%2F%2F',
  '/%5c',
  '/%5C%5C',
  '/%09/',
  '/%0a//',
  '/%00/',
  '/%252f%252f',
  '/；//',
  '/／',
  '//／',
  '/;//',
  '/@',
  '/:80//',
  'http://',
  'https://',
  'https:/',
  'https:',
  'HTTPS://',
  'ht\ntps://',
  '//http://',
  'ftp://',
  'blob:https://',
  'view-source:https://',
  '',
  '.',
  './',
  '../../',
  '?//',
  '#//',
];

const oddities = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  '/javascript:alert(1)',
  'java\tscript:alert(1)',
  '\u0001javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:msgbox(1)',
  'about:blank',
  'file:///etc/passwd',
  'main/home',
  'null',
  'undefined',
  '/',
  '/main/home#//evil.com',
  '/main/<script>',
  '/main?x=<script>',
  '/main?x="onload=',
  '/main?x=\\evil.com',
  '/main?x=a b',
  '/main?x=a\r\nLocation: https://evil.com',
  '/main/home\u2028',
  '/main/ho\u200bme',
  '/main/\u202emoc.live',
  '/.',
  '/..',
  '/main/..',
  '/main/./home',
  '/login',
  '/login?redirect=/main',
  '/login/',
  '/login/again',
  `/${'a'.repeat(3000)}`,
];

const hostile = [...starts.flatMap((start) => hosts.map((host) => start + host)), ...oddities];

test('the redirect parameter of the sign-in page never leads to another site', () => {
  expect(new Set(hostile).size).toBeGreaterThanOrEqual(150);
  for (const wanted of hostile) expect([wanted, toSafeRedirect(wanted)]).toEqual([wanted, null]);
});

test('a hostile redirect parameter of the sign-in page leads to /main on the same origin', () => {
  for (const wanted of hostile) {
    const address = addressAfterLogin(`?redirect=${encodeURIComponent(wanted)}`);
    expect(new URL(address, window.location.origin).origin).toBe(window.location.origin);
    expect(address).toBe('/main');
  }
});

test('the redirect parameter of the sign-in page may name any page of the portal, including the query string of that page', () => {
  const own = [
    '/main',
    '/main/home',
    '/main/recharge?item=shards_60&lng=de-DE',
    '/main/recharge/detail/00000000-0000-4000-8000-000000000001',
    '/main/recharge?next=https%3A%2F%2Fevil.com',
    '/main/recharge?next=//evil.com',
    '/dream/order/detail?paymentId=1',
    '/main/recharge/',
  ];
  for (const wanted of own) expect(toSafeRedirect(wanted)).toBe(wanted);
});

test('the redirect parameter of the sign-in page names the page that the visitor opened, except for the root', () => {
  expect(loginAddress({ pathname: '/main/recharge', search: '?item=a&lng=de-DE' })).toBe(
    '/login?item=a&lng=de-DE&redirect=%2Fmain%2Frecharge%3Fitem%3Da%26lng%3Dde-DE',
  );
  expect(loginAddress({ pathname: '/', search: '?lng=de-DE' })).toBe('/login?lng=de-DE');
});

test('the URL opened after a sign-in has the query parameters of its target and, with precedence, those of the sign-in page', () => {
  const search = '?lng=ja-JP&from=mail&redirect=%2Fmain%2Frecharge%3Fitem%3Da%26lng%3Dde-DE';
  expect(addressAfterLogin(search)).toBe('/main/recharge?item=a&lng=ja-JP&from=mail');
  expect(addressAfterLogin('?lng=ja-JP')).toBe('/main?lng=ja-JP');
});
