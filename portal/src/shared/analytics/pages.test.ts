import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pageOf } from './pages.ts';

test.each([
  ['/', '/'],
  ['/login', '/login'],
  ['/main/recharge/', '/main/recharge'],
  ['/main/recharge/detail/01930000-0000-7000-8000-000000000001', '/main/recharge/detail/id'],
  ['/dream/recharge/solmere', '/dream/recharge/id'],
  ['/main/home/pia@example.com', '/main/home/id'],
  ['/aveline/eyJhbGciOiJIUzI1NiJ9.e30.c2ln', '/id/id'],
  ['/%E7%8E%8B', '/id'],
  [`/${'a/'.repeat(500)}`, '/id/id/id/id/id/id'],
])('the path %s is reported to analytics as page %s, without player data', (path, page) => {
  expect(pageOf(path)).toBe(page);
});

test('every path segment in the router is known to the page names of analytics', () => {
  const router = readFileSync(join(import.meta.dirname, '../../app/router.tsx'), 'utf8');
  const paths = [...router.matchAll(/\bpath="([^"]+)"/g)].map(([, path = '']) => path);
  expect(paths.length).toBeGreaterThan(8);
  for (const path of paths) {
    const words = path.split('/').filter((part) => /^\w/.test(part));
    expect(pageOf(words.join('/'))).toBe(`/${words.join('/')}`);
  }
});
