import { aliasesOf, allPages } from '@pointgate/contract/pages.ts';
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

test('the name of a page in analytics is its path, with "id" in place of a parameter', () => {
  expect(allPages.length).toBeGreaterThan(20);
  for (const row of allPages) {
    const [path = ''] = row.path.split('?');
    const opened = path.replace(/:\w+/, '01930000-0000-7000-8000-000000000001');
    expect(pageOf(opened)).toBe(path.replace(/:\w+/, 'id'));
    for (const alias of aliasesOf(row)) expect(pageOf(alias)).toBe(alias);
  }
});
