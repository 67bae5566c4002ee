import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import i18next from 'i18next';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import german from '../../../public/locales/de-DE/shell.json';
import { givenWindowWidth } from '../../../test/browser.ts';
import { callsOf, givenShop, open, orderId, refused } from '../../../test/shop.tsx';

const infoPath = '/api/recharge/rebate/info';
const pointsInfoPath = '/api/e-recharge/rebate/info';
const now = Date.parse('2026-11-15T10:00:00.000Z');
const endsAt = '2026-11-18T14:00:00.000Z';

const tier = (place: number, state: string) => ({
  tier: place,
  fromMinor: String(2_500 * place),
  presentPoints: String(250 * place),
  state,
});
const campaign = (other: object = {}) => ({
  campaignId: 'autumn',
  name: 'Autumn harvest',
  startsAt: '2026-11-10T00:00:00.000Z',
  endsAt,
  currency: 'USD',
  presentDays: 30,
  progressMinor: '3770',
  tiers: [tier(1, 'earned'), tier(2, 'open'), tier(3, 'taken_back')],
  nextTier: { tier: 2, fromMinor: '5000', presentPoints: '500', missingMinor: '1230' },
  history: [
    step('taken_back', 3, '8000', '3770', '2026-11-14T08:00:00.000Z'),
    step('earned', 1, '0', '8000', '2026-11-13T08:00:00.000Z'),
  ],
  ...other,
});
function step(kind: string, place: number, before: string, after: string, at: string) {
  return {
    tier: place,
    kind,
    presentPoints: String(250 * place),
    paymentId: orderId,
    progressBeforeMinor: before,
    progressAfterMinor: after,
    at,
  };
}

const strip = () => screen.findByRole('region', { name: 'Autumn harvest' });

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

test('[S2.09] [S7.15] a rebate campaign on the top-up page shows missing amount, reward, progress and end', async () => {
  const calls = givenShop({ [infoPath]: { campaigns: [campaign()] } });
  await open('/main/recharge');
  const rebate = await strip();
  within(rebate).getByText('Spend $12.30 more for 500 E Points');
  within(rebate).getByText('Ends in 3 days 4 hr');
  const bar = within(rebate).getByRole('progressbar', { name: 'Your progress' });
  expect(bar.getAttribute('aria-valuetext')).toBe('$37.70 of $75.00');
  expect(bar.getAttribute('aria-valuenow')).toBe('50');
  const filled = [...bar.querySelectorAll<HTMLElement>('.rebate-stretch > span')];
  expect(filled.map(({ style }) => style.width)).toEqual(['100%', '50%', '0%']);
  const [tiers] = within(rebate).getAllByRole('list');
  const states = within(tiers ?? rebate).getAllByRole('listitem');
  expect(states.map(({ textContent }) => textContent)).toEqual([
    '250250 E Points, earned$25.00',
    '500500 E Points, not reached yet$50.00',
    '750750 E Points, taken back$75.00',
  ]);
  within(rebate).getByText('Earned so far: 250 E Points');
  within(rebate).getByText('Taken back after a refund: 750 E Points');
  expect(callsOf(calls, infoPath).map(({ body }) => body)).toEqual([{ gameId: 'solmere' }]);
});

test('the details of a rebate campaign on the top-up page explain each step with a link to its order', async () => {
  givenShop({ [infoPath]: { campaigns: [campaign()] } });
  await open('/main/recharge');
  const rebate = await strip();
  const details = rebate.querySelector('details');
  expect(details?.open).toBe(false);
  fireEvent.click(within(rebate).getByText('How it works, and your history'));
  within(rebate).getByText('Given E Points are valid for 30 days.');
  within(rebate).getByText('750 E Points taken back');
  within(rebate).getByText(/Money of an order went back to you: from \$80\.00 to \$37\.70\./);
  within(rebate).getByText(/A payment brought you from \$0\.00 to \$80\.00\./);
  const links = within(rebate).getAllByRole('link', { name: 'See the order' });
  expect(links.map((link) => link.getAttribute('href'))).toEqual([
    `/main/recharge/detail/${orderId}`,
    `/main/recharge/detail/${orderId}`,
  ]);
});

test('[S7.33] the tab for E Points of the top-up page shows the rebate campaigns for E Points, not those for game packs', async () => {
  const name = 'Points in November';
  const calls = givenShop({ [pointsInfoPath]: { campaigns: [campaign({ name })] } });
  await open('/main/recharge?to=epoint');
  await screen.findByRole('region', { name });
  expect(callsOf(calls, pointsInfoPath).map(({ body }) => body)).toEqual([{}]);
  expect(callsOf(calls, infoPath)).toEqual([]);
});

test('the top-up page says when every reward of a rebate campaign is reached and when no rebate has been given yet', async () => {
  const done = campaign({ nextTier: null, progressMinor: '9000', history: [] });
  givenShop({ [infoPath]: { campaigns: [done] } });
  await open('/main/recharge');
  const rebate = await strip();
  within(rebate).getByText('You have reached every reward.');
  within(rebate).getByText('Nothing has been given yet.');
});

test('a top-up page without rebate campaigns shows neither progress nor error', async () => {
  givenShop();
  await open('/main/recharge');
  await screen.findByRole('radio', { name: /^300 Shards/ });
  expect(screen.queryByRole('progressbar')).toBeNull();
  expect(screen.queryByText('Failed to get rebate info')).toBeNull();
});

test('[S8.12] the top-up page can reload rebate campaigns that fail to load, and does not block buying', async () => {
  let reply: object = refused('SystemBusy', 503);
  givenShop({ [infoPath]: () => reply });
  await open('/main/recharge');
  await screen.findByText('Failed to get rebate info');
  expect(await screen.findByRole('button', { name: /^Pay/ })).toHaveProperty('disabled', false);
  expect(screen.queryByRole('alert')).toBeNull();
  reply = { campaigns: [campaign()] };
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await strip();
});

test('the top-up page shows its packs even if the rebate request is never answered', async () => {
  givenShop({ [infoPath]: () => new Promise<object>(() => {}) });
  await open('/main/recharge');
  await screen.findByRole('radio', { name: /^300 Shards/ });
  expect(await screen.findByRole('button', { name: /^Pay/ })).toHaveProperty('disabled', false);
});

test('the top-up page removes a rebate campaign that ends while the page is open', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true, now });
  const soon = new Date(now + 600_000).toISOString();
  givenShop({ [infoPath]: { campaigns: [campaign({ endsAt: soon })] } });
  await open('/main/recharge');
  await strip();
  await act(() => vi.advanceTimersByTimeAsync(601_000));
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Autumn harvest' })).toBeNull());
});

test('the top-up page translates texts and amounts of a rebate campaign after a change of language', async () => {
  givenShop({
    '/locales/de-DE/shell.json': Response.json(german),
    [infoPath]: { campaigns: [campaign()] },
  });
  await open('/main/recharge');
  await strip();
  await act(() => i18next.changeLanguage('de-DE'));
  await screen.findByText('Noch 12,30 $ bis zu 500 E-Points');
  screen.getByText('Endet in 3 Tg. 4 Std.');
});
