import { describe, expect, test } from 'vitest';
import {
  aliasesOf,
  allPages,
  fillPath,
  isPathOf,
  linkToPage,
  pages,
  pagesOf,
  patternOf,
  type SiteKind,
} from './pages.ts';

const kinds: readonly SiteKind[] = ['game', 'platform'];

/** The path of a page as a browser opens it. */
const openedPath = (path: string) => path.replace(/\?.*/, '').replaceAll(/:\w+/g, 'x1');

describe.each(kinds)('the portal pages of a %s site', (kind) => {
  test('each path or alias of a portal page leads to exactly one page of its site', () => {
    const rows = pagesOf(kind);
    for (const { path, ...row } of rows) {
      for (const opened of [openedPath(path), ...aliasesOf({ path, ...row })]) {
        const owners = rows.filter((other) => {
          const own = [other.path, ...aliasesOf(other)];
          return own.some((each) => isPathOf(each, opened));
        });
        expect(owners.map((owner) => owner.path)).toEqual([path]);
      }
    }
  });

  test('the menus of a site contain no portal page with a parameter in its path, except the top-up page of a game on a game hub', () => {
    const inMenus = pagesOf(kind).filter((row) => 'mainMenu' in row || 'accountMenu' in row);
    expect(inMenus.length).toBeGreaterThan(5);
    const withParameter = inMenus.filter(({ path }) => path.includes(':'));
    expect(withParameter.map(({ path }) => path)).toEqual(
      kind === 'game' ? [] : [pages.platform.topUp.path],
    );
  });
});

test('paths of portal pages contain no character with a meaning in regular expressions', () => {
  for (const row of allPages) {
    for (const path of [row.path, ...aliasesOf(row)]) {
      expect(path).toMatch(/^\/[a-z\d/-]*(:\w+)?(\?\w+=:\w+)?$/);
    }
  }
});

test.each([
  [pages.game.order.path, '/main/recharge/detail/0193'],
  [pages.platform.order.path, '/dream/order/detail?paymentId=0193'],
])('the URL of an order page with the path pattern %s is %s', (path, address) => {
  expect(fillPath(path, { paymentId: '0193' })).toBe(address);
  expect(linkToPage('https://pay.example', path, { paymentId: '0193' }).href).toBe(
    `https://pay.example${address}`,
  );
});

test.each([
  ['/main/recharge/detail/0193', true],
  ['/main/recharge/detail/0193/', true],
  ['/main/recharge/detail', false],
  ['/main/recharge/detail/', false],
  ['/main/recharge/detail/0193/more', false],
  ['/x/main/recharge/detail/0193', false],
])('the path %s is recognised as the path of an order page: %s', (pathname, isOrder) => {
  expect(isPathOf(pages.game.order.path, pathname)).toBe(isOrder);
});

test('the regular expression for several portal paths matches each of them and no other path', () => {
  const pattern = new RegExp(patternOf('/', '/main', '/main/home'));
  expect(['/', '/main', '/main/home', '/main/home/'].filter((path) => !pattern.test(path))).toEqual(
    [],
  );
  expect(
    ['/mainly', '/main/home/x', '/x', '/main/recharge'].filter((path) => pattern.test(path)),
  ).toEqual([]);
});

test('TypeScript rejects code with a wrong page name or a wrong or missing path parameter of a portal page', () => {
  // @ts-expect-error There is no such page.
  expect(() => pages.game.ordre.path).toThrow();
  // @ts-expect-error The parameter of the path has another name.
  fillPath(pages.game.order.path, { orderId: '1' });
  // @ts-expect-error A parameter is missing.
  fillPath(pages.platform.topUp.path, {});
  // @ts-expect-error The server does not link to this page.
  linkToPage('https://pay.example', pages.game.home.path, {});
});
