import { describe, expect, test } from 'vitest';
import { safeReturnPath } from './return-path.ts';

const site = 'https://shop.example';

describe('return paths of the site', () => {
  test.each([
    ['/', '/'],
    ['/main/recharge', '/main/recharge'],
    ['/main/recharge/detail/0198?tab=1&x=%2Fa', '/main/recharge/detail/0198?tab=1&x=%2Fa'],
    ['/login?redirect=%2Fmain%3Fa%3D1', '/login?redirect=%2Fmain%3Fa%3D1'],
    ['/search?q=https://evil.example', '/search?q=https%3A%2F%2Fevil.example'],
    ['/a/../b', '/b'],
    ['/林/雨', '/%E6%9E%97/%E9%9B%A8'],
    ['/@someone', '/@someone'],
    ['/a:b', '/a:b'],
  ])(
    'the path to return to after a sign-in stays or is normalized if it is within the site: %s',
    (asked, path) => {
      expect(safeReturnPath(asked)).toBe(path);
    },
  );

  test('the path to return to after a sign-in is cleared of its fragment and of the parameters of an earlier sign-in', () => {
    expect(safeReturnPath('/main?code=1&state=2&appleId=true&error=x&keep=3#part')).toBe(
      '/main?keep=3',
    );
  });
});

const hostile = [
  '',
  ' ',
  'evil.example',
  '//evil.example',
  '///evil.example',
  '////evil.example',
  '//evil.example/%2f..',
  '//evil.example@shop.example',
  '//shop.example@evil.example',
  '/\\evil.example',
  '/\\/evil.example',
  '/\\\\evil.example',
  '\\/evil.example',
  '\\\\evil.example',
  '\\evil.example',
  '/%5cevil.example',
  '/%5Cevil.example',
  '/%5c%5cevil.example',
  '/%2fevil.example',
  '/%2Fevil.example',
  '/%2f%2fevil.example',
  '/%252fevil.example',
  '/%255cevil.example',
  '/.//evil.example',
  '/..//evil.example',
  '/./\\evil.example',
  '/a/..//evil.example',
  '/a/../..//evil.example',
  '/%2e//evil.example',
  '/%2e%2e//evil.example',
  '/.%2e//evil.example',
  '/a//evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '/\r/evil.example',
  '/\r\n/evil.example',
  '/\t\\evil.example',
  '\t//evil.example',
  '\n//evil.example',
  ' //evil.example',
  ' /main',
  '/ /evil.example',
  '/main\r\nset-cookie: sid=1',
  '/main\r\nlocation: https://evil.example',
  '/\0/evil.example',
  '/\u000b/evil.example',
  '/\u000c/evil.example',
  '/\u00a0/evil.example',
  '/\u0085/evil.example',
  '/\u200b/evil.example',
  '/\u2028/evil.example',
  '/\u202e/evil.example',
  '/\ufeff/evil.example',
  '/%09/evil.example',
  '/%0a/evil.example',
  '/%0d%0alocation:%20//evil.example',
  '/%00/evil.example',
  '/／evil.example',
  '／／evil.example',
  '/＼evil.example',
  '/\u2100evil.example',
  '/．．/evil.example',
  '/＠evil.example',
  '/：evil.example',
  'https://evil.example',
  'https:evil.example',
  'https:/evil.example',
  'https:///evil.example',
  'http://evil.example',
  'HTTPS://evil.example',
  'https://shop.example.evil.example',
  'https://shop.example@evil.example',
  'https://shop.example/main',
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'java\nscript:alert(1)',
  'data:text/html,hi',
  'vbscript:x',
  'file:///etc/passwd',
  'blob:https://evil.example/1',
  '@evil.example',
  ':evil.example',
  '.evil.example',
  '?//evil.example',
  '#//evil.example',
  '/\ud800evil',
  `/${'a'.repeat(2048)}`,
];

// Prefixes that some URL parser takes for another origin, and hosts to combine them with.
const starts = [
  '//',
  '///',
  '/\\',
  '/\\/',
  '\\\\',
  '/.//',
  '/..//',
  '/a/../..//',
  '/%2f',
  '/%5c',
  '/%252f',
  '/\t/',
  '/\n/',
  '/\r/',
  ' //',
  '/\u200b/',
  '/\uff0f',
  'https://',
  'https:',
  'javascript://',
];
const hosts = [
  'evil.example:443/main',
  'user:word@evil.example',
  '[::1]',
  '2130706433',
  'evil。example',
];
hostile.push(...starts.flatMap((start) => hosts.map((host) => start + host)));

describe('hostile return paths', () => {
  test('the tests of the path to return to after a sign-in try more than 150 hostile paths', () => {
    expect(new Set(hostile).size).toBeGreaterThan(150);
  });

  test.each(hostile.map((asked) => [JSON.stringify(asked), asked]))(
    'the path to return to after a sign-in is replaced by the root of the site if it is hostile: %s',
    (_shown, asked) => {
      expect(safeReturnPath(asked)).toBe('/');
    },
  );
});

test('the path to return to after a sign-in never leaves the site, for random compositions of hostile pieces', () => {
  const pieces = [
    '/',
    '\\',
    '.',
    '..',
    '%2f',
    '%5c',
    '%2e',
    '@',
    ':',
    '\t',
    '\n',
    '?',
    '#',
    'a',
    '／',
    '//',
  ];
  for (const first of pieces) {
    for (const second of pieces) {
      for (const third of pieces) {
        const path = safeReturnPath(`/${first}${second}${third}evil.example`);
        expect(path).toMatch(/^\/([^/\\]|$)/);
        expect(new URL(path, site).origin).toBe(site);
        expect(safeReturnPath(path)).toBe(path);
      }
    }
  }
});
