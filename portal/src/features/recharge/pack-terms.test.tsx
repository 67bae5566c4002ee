import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import i18next from 'i18next';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import german from '../../../public/locales/de-DE/shell.json';
import thai from '../../../public/locales/th-TH/shell.json';
import { givenWindowWidth } from '../../../test/browser.ts';
import {
  aveline,
  callsOf,
  dawnreach,
  givenItem,
  givenPointPack,
  givenShop,
  open,
} from '../../../test/shop.tsx';
import { noteServerTime } from '../../shared/api/server-clock.ts';

const itemsPath = '/api/recharge/v2/items';
const now = Date.parse('2026-11-15T10:00:00.000Z');
const hourMs = 3_600_000;
const later = (ms: number) => new Date(now + ms).toISOString();
const limitOf = (other: object = {}) => ({
  packsMax: 3,
  per: 'account',
  period: 'week',
  packsLeft: 2,
  resetAt: later(52 * hourMs),
  ...other,
});
const listOf = (...items: object[]) => ({
  countedFor: null,
  groups: [{ groupId: 'shards', name: 'Shards', items }],
});
const words = {
  '/locales/de-DE/shell.json': Response.json(german),
  '/locales/th-TH/shell.json': Response.json(thai),
};

function givenItems(...items: object[]) {
  return givenShop({ ...words, [itemsPath]: listOf(...items) });
}

/** The description of a pack that a screen reader announces. */
function termsOf(radio: HTMLElement): string {
  const ids = radio.getAttribute('aria-describedby')?.split(' ') ?? [];
  return ids
    .map((id) => document.getElementById(id)?.textContent ?? '')
    .filter((text) => text !== '')
    .join(', ');
}

const payButton = () => screen.findByRole('button', { name: /^Pay/ });

beforeEach(() => {
  sessionStorage.clear();
  givenWindowWidth(1440);
  vi.spyOn(Date, 'now').mockReturnValue(now);
});
afterEach(async () => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  await i18next.changeLanguage('en-US');
});

test('[S2.09] the top-up page shows the gift and the rebate of a pack, but no rebate for payments in E Points', async () => {
  givenItems({ ...givenItem(300n), rebatePoints: '120' });
  await open('/main/recharge');
  const radio = await screen.findByRole('radio', { name: '300 Shards, +30 bonus = 330, $4.99' });
  expect(termsOf(radio)).toBe('Rebate: 120 E Points');
  fireEvent.click(screen.getByRole('radio', { name: 'E Points' }));
  await screen.findByRole('radio', { name: /^300 Shards.* E Points$/ });
  expect(screen.queryByText('Rebate: 120 E Points')).toBeNull();
});

describe('purchase limits', () => {
  test.each([
    [limitOf(), '2 of 3 left this week, resets in 2 days 4 hr'],
    [
      limitOf({ period: 'day', resetAt: later(90 * 60_000) }),
      '2 of 3 left today, resets in 1 hr 30 min',
    ],
    [limitOf({ period: 'month', packsLeft: 3 }), '3 of 3 left this month'],
    [limitOf({ period: 'ever', resetAt: null }), '2 of 3 left'],
    [limitOf({ per: 'role', packsLeft: null }), 'Up to 3 a week per role'],
  ])(
    'the top-up page shows for the purchase limit %j the packs left and the time until the reset',
    async (limit, text) => {
      givenItems({ ...givenItem(300n), limit });
      await open('/main/recharge');
      expect(termsOf(await screen.findByRole('radio', { name: /^300 Shards/ }))).toBe(text);
    },
  );

  test('the top-up page shows the exact reset time of a purchase limit on hover and in the order, in the current language', async () => {
    givenItems({ ...givenItem(300n), limit: limitOf() });
    await open('/main/recharge');
    const radio = await screen.findByRole('radio', { name: /^300 Shards/ });
    const exact = (locale: string) =>
      new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' }).format(
        new Date(later(52 * hourMs)),
      );
    const time = screen.getByText('resets in 2 days 4 hr');
    expect(time.getAttribute('title')).toBe(exact('en-US'));
    const panel = screen.getByRole('complementary', { name: 'Your order' });
    expect(within(panel).getByText('Limit resets').nextElementSibling?.textContent).toBe(
      exact('en-US'),
    );

    await act(() => i18next.changeLanguage('de-DE'));
    await waitFor(() =>
      expect(termsOf(radio)).toBe('Diese Woche noch 2 von 3, neu in 2 Tg. 4 Std.'),
    );
    expect(screen.getByText('neu in 2 Tg. 4 Std.').getAttribute('title')).toBe(exact('de-DE'));
    await act(() => i18next.changeLanguage('th-TH'));
    await waitFor(() => expect(termsOf(radio)).toContain('สัปดาห์นี้เหลือ 2 จาก 3'));
  });

  test('the top-up page disables a pack whose purchase limit is reached and preselects another pack', async () => {
    const soldOut = { ...givenItem(300n), limit: limitOf({ packsLeft: 0 }) };
    const calls = givenItems(givenItem(60n), soldOut);
    await open('/main/recharge?item=shards_300');
    const radio = await screen.findByRole('radio', { name: '300 Shards, +30 bonus = 330, $4.99' });
    expect(radio).toHaveProperty('disabled', true);
    expect(termsOf(radio)).toBe('Limit reached, 0 of 3 left this week, resets in 2 days 4 hr');
    expect(screen.getByRole('radio', { name: /^60 Shards/ })).toHaveProperty('checked', true);
    expect(callsOf(calls, itemsPath)).toHaveLength(1);
  });

  test('the top-up page shows a pack limited to a single purchase as already bought', async () => {
    const limit = limitOf({ period: 'ever', packsMax: 1, packsLeft: 0, resetAt: null });
    givenItems({ ...givenItem(300n), limit });
    await open('/main/recharge');
    const radio = await screen.findByRole('radio', { name: /^300 Shards/ });
    expect(termsOf(radio)).toBe('Already bought, 0 of 1 left');
    expect(await payButton()).toHaveProperty('disabled', true);
  });

  describe('purchase limits per role', () => {
    const { serverId } = dawnreach;
    const own = { serverId, roleId: aveline.roleId };
    const corvin = { roleId: 'r2', name: 'Corvin', level: 23 };
    const listFor = (countedFor: object | null, packsLeft: number | null) => {
      const limit = limitOf({ per: 'role', packsLeft });
      return { ...listOf({ ...givenItem(300n), limit }), countedFor };
    };
    const rolesAskedFor = (calls: ReturnType<typeof givenShop>) =>
      callsOf(calls, itemsPath).map(({ body }) => Object(body).role);
    const cardOf300 = () => screen.findByRole('radio', { name: /^300 Shards/ });

    test('the top-up page shows a purchase limit per game character for the character chosen last, without a second request', async () => {
      const calls = givenShop({ [itemsPath]: listFor(own, 1) });
      await open('/main/recharge');
      expect(termsOf(await cardOf300())).toContain('1 of 3 left this week');
      await payButton();
      expect(rolesAskedFor(calls)).toEqual([undefined]);
    });

    test('the top-up page reloads a purchase limit per game character for a newly chosen character and shows no count until then', async () => {
      const { promise: letGo, resolve: go } = Promise.withResolvers<void>();
      const calls = givenShop({
        '/api/character/role/list': { roles: [aveline, corvin] },
        '/api/character/info/select': { server: dawnreach, role: corvin },
        [itemsPath]: async ({ body }) => {
          const { role = null } = Object(body);
          if (role === null) return listFor(own, 1);
          await letGo;
          return listFor(role, 3);
        },
      });
      await open('/main/recharge');
      expect(termsOf(await cardOf300())).toContain('1 of 3 left this week');
      fireEvent.click(screen.getByRole('button', { name: /Deliver to/ }));
      fireEvent.click(await screen.findByRole('button', { name: /Corvin/ }));
      await waitFor(async () => expect(termsOf(await cardOf300())).toBe('Up to 3 a week per role'));
      go();
      await waitFor(async () => expect(termsOf(await cardOf300())).toContain('3 of 3 left'));
      expect(rolesAskedFor(calls)).toEqual([undefined, { serverId, roleId: corvin.roleId }]);
    });
  });

  test('the top-up page shows the purchase limit of an E Point pack', async () => {
    const pack = { ...givenPointPack(500n), limit: limitOf({ period: 'month' }) };
    givenShop({ '/api/e-recharge/items': { packs: [pack] } });
    await open('/main/recharge?to=epoint');
    expect(termsOf(await screen.findByRole('radio', { name: /^500 E Points/ }))).toContain(
      '2 of 3 left this month',
    );
  });
});

describe('time-limited packs', () => {
  const sale = { ...givenItem(300n), saleUntil: later(3 * hourMs) };

  test('the top-up page shows a countdown for a time-limited pack', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true, now });
    givenItems(sale);
    await open('/main/recharge');
    await screen.findByText('Ends in 3 hr');
    vi.setTimerTickMode('manual');
    await act(() => vi.advanceTimersByTimeAsync(2 * hourMs + 30 * 60_000));
    screen.getByText('Ends in 30 min');
    await act(() => vi.advanceTimersByTimeAsync(29 * 60_000 + 30_000));
    screen.getByText(/^Ends in [23]\d sec$/);
  });

  test('a time-limited pack that ends on the open top-up page cannot be bought, no pack replaces it, and the list reloads', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true, now });
    let list = listOf(givenItem(60n), sale);
    const calls = givenShop({ [itemsPath]: () => list });
    await open('/main/recharge');
    const radio = await screen.findByRole('radio', { name: /^300 Shards/ });
    expect(radio).toHaveProperty('checked', true);
    expect(await payButton()).toHaveProperty('disabled', false);

    list = listOf(givenItem(60n));
    await act(() => vi.advanceTimersByTimeAsync(3 * hourMs));
    expect(await payButton()).toHaveProperty('disabled', true);
    screen.getByText('This offer has ended, please choose another pack.');
    // The list is reloaded after ten seconds while it still has an ended offer.
    await act(() => vi.advanceTimersByTimeAsync(12_000));
    await waitFor(() => expect(screen.queryByRole('radio', { name: /^300 Shards/ })).toBeNull());
    // The order panel still shows the ended pack, so a click on Pay buys nothing else.
    within(screen.getByRole('complementary', { name: 'Your order' })).getByText('330 Shards');
    expect(await payButton()).toHaveProperty('disabled', true);
    expect(callsOf(calls, itemsPath).length).toBeGreaterThan(1);

    fireEvent.click(screen.getByRole('radio', { name: /^60 Shards/ }));
    expect(await payButton()).toHaveProperty('disabled', false);
  });

  test('the top-up page sells a time-limited pack by the clock of the server, not by the clock of the device', async () => {
    vi.mocked(Date.now).mockReturnValue(now + 24 * hourMs);
    noteServerTime(now / 1000, 0);
    givenShop({ [itemsPath]: listOf(sale) });
    await open('/main/recharge');
    await screen.findByText('Ends in 3 hr');
    expect(await payButton()).toHaveProperty('disabled', false);
    vi.mocked(Date.now).mockReturnValue(now);
    noteServerTime(now / 1000, 0);
  });
});

test.each([
  ['bonus', '+30 bonus', '300 + 30 bonus'],
  ['first_purchase', 'First purchase: +30', '300 + 30 first-purchase bonus'],
  ['first_purchase_of_item', 'First time: +30', '300 + 30 first-purchase bonus'],
  ['for_you', 'For you: +30', '300 + 30 for you'],
  ['limited_time', 'For a while: +30', '300 + 30 limited-time bonus'],
] as const)(
  'the top-up page shows a gift with the reason %s as "%s" on the pack and as "%s" in the order',
  async (reason, onCard, inOrder) => {
    givenItems({ ...givenItem(300n), gift: { quantity: '30', reason } });
    await open('/main/recharge');
    await screen.findByRole('radio', { name: `300 Shards, ${onCard} = 330, $4.99` });
    screen.getByText(inOrder);
  },
);

test('the top-up page shows a first-purchase gift that doubles the pack as ×2', async () => {
  givenItems({ ...givenItem(300n), gift: { quantity: '300', reason: 'first_purchase_of_item' } });
  await open('/main/recharge');
  await screen.findByRole('radio', { name: '300 Shards, First purchase: ×2 = 600, $4.99' });
});

test('the top-up page has headings for packs of several groups, and none for packs of a single group', async () => {
  const items = Array.from({ length: 12 }, (_, place) => givenItem(BigInt(10 * (place + 1))));
  const groups = [
    { groupId: 'shards', name: 'Shards', items: items.slice(0, 6) },
    { groupId: 'passes', name: 'Passes', items: items.slice(6) },
    { groupId: 'empty', name: 'Nothing', items: [] },
  ];
  givenShop({ [itemsPath]: { countedFor: null, groups } });
  await open('/main/recharge');
  const passes = await screen.findByRole('group', { name: 'Passes' });
  within(passes).getByRole('heading', { level: 2, name: 'Passes' });
  expect(within(passes).getAllByRole('radio')).toHaveLength(6);
  expect(screen.queryByText('Nothing')).toBeNull();
  cleanup();

  givenItems(givenItem(60n));
  await open('/main/recharge');
  await screen.findByRole('radio', { name: /^60 Shards/ });
  expect(screen.queryByRole('heading', { name: 'Shards' })).toBeNull();
});
