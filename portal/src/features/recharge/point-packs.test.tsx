import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { givenWindowWidth } from '../../../test/browser.ts';
import {
  callsOf,
  expectAddress,
  givenBalance,
  givenPointPack,
  givenPointsOrder,
  givenShop,
  open,
  orderId,
  player,
  refused,
} from '../../../test/shop.tsx';

const address = '/main/recharge?to=epoint';
const packsPath = '/api/e-recharge/items';
const balancePath = '/api/epoint/overage';
const createPath = '/api/payment/order/create/epoint';
const payPath = '/api/payment/order/pay';
const provider = () => ({
  action: { kind: 'redirect', url: `${window.location.href.replace(/#.*/, '')}#provider` },
});
const payable = { [createPath]: givenPointsOrder(), [payPath]: provider };

beforeEach(() => {
  sessionStorage.clear();
  givenWindowWidth(1440);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test('[S2.09] the tabs of the top-up page switch between packs for the game and of E Points, by mouse and by keyboard', async () => {
  givenShop();
  await open('/main/recharge?from=mail');
  await screen.findByRole('radio', { name: /^300 Shards/ });
  screen.getByRole('tab', { name: 'Omni Cards', selected: true });

  fireEvent.click(screen.getByRole('tab', { name: 'E Points' }));
  await screen.findByRole('radio', { name: '500 E Points, +25 bonus = 525, $4.99' });
  expectAddress('/main/recharge?from=mail&to=epoint');
  expect(screen.queryByRole('button', { name: /Deliver to/ })).toBeNull();
  screen.getByRole('tabpanel', { name: 'E Points' });

  fireEvent.keyDown(screen.getByRole('tab', { name: 'E Points' }), { key: 'ArrowLeft' });
  await screen.findByRole('radio', { name: /^300 Shards/ });
  expect(document.activeElement).toBe(screen.getByRole('tab', { name: 'Omni Cards' }));
  screen.getByRole('button', { name: /Deliver to/ });
});

test('the top-up page shows amount, bonus, validity of the bonus and credited account for a pack of E Points', async () => {
  givenShop();
  await open(address);
  const panel = await screen.findByRole('complementary', { name: 'Your order' });
  within(panel).getByText('525 E Points');
  within(panel).getByText('500 + 25 bonus');
  within(panel).getByText('90 days');
  expect(within(panel).getByText('Credited to').nextElementSibling?.textContent).toBe('aveline');
  // E Points are never bought with E Points.
  expect(within(panel).getAllByRole('radio')).toHaveLength(1);
});

test('[S7.17] a double click on Pay of the top-up page for a pack of E Points creates one order, without a game character', async () => {
  const game = { gameId: 'solmere', name: 'Solmere', subtitle: 'Echoes', character: null };
  const calls = givenShop({ ...payable, '/api/character/game/info': game });
  await open(address);
  const pay = await screen.findByRole('button', { name: 'Pay $4.99' });
  fireEvent.click(pay);
  fireEvent.click(pay);
  await waitFor(() => expect(window.location.hash).toBe('#provider'));
  expect(callsOf(calls, createPath).map(({ body }) => body)).toEqual([
    {
      clientOrderId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      itemId: 'points_500',
      quoteId: 'quote-of-these-tests',
      quantity: 1,
      method: 'card',
      system: 'android',
    },
  ]);
  expect(callsOf(calls, payPath).map(({ body }) => body)).toEqual([{ paymentId: orderId }]);
});

test('the top-up page preselects a pack of E Points named in the URL', async () => {
  givenShop();
  await open(`${address}&item=points_100`);
  await screen.findByRole('radio', { name: /^100 E Points/, checked: true });
});

test('the top-up page can reload E Point packs that fail to load, and shows a message for an empty list', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  let reply: object = refused('SystemBusy', 503);
  givenShop({ [packsPath]: () => reply });
  await open(address);
  expect((await screen.findByRole('alert')).textContent).toContain('Failed to get the item list');
  // The game's own packs are not affected.
  fireEvent.click(screen.getByRole('tab', { name: 'Omni Cards' }));
  await screen.findByRole('radio', { name: /^300 Shards/ });
  fireEvent.click(screen.getByRole('tab', { name: 'E Points' }));
  await screen.findByRole('alert');

  reply = { packs: [] };
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByText('There is nothing for sale right now.');
  await screen.findByRole('region', { name: 'Your E Points' });
});

test('the top-up page shows no bonus for a pack of E Points without a gift', async () => {
  const plain = { ...givenPointPack(100n), giftQuantity: '0', giftDays: null };
  givenShop({ [packsPath]: { packs: [plain] } });
  await open(address);
  await screen.findByRole('radio', { name: '100 E Points, $4.99' });
  expect(screen.queryByText('Bonus valid for')).toBeNull();
});

test('[S7.29] the top-up page requests the E Point balance by the game account id and shows the sum of bought and bonus ones', async () => {
  const calls = givenShop();
  await open(address);
  await screen.findByText('1,240 E Points');
  screen.getByText('1,000 bought + 240 bonus');
  expect(callsOf(calls, balancePath)[0]?.body).toEqual({ userId: player.gameAccountId });
  expect(await balanceRows()).toEqual([
    ['Bought', '1,000'],
    ['Bonus', '240'],
    ['Ready to spend', '1,240'],
  ]);
  expect(screen.queryByText(/on hold|owe/)).toBeNull();
});

test('the top-up page shows E Points on hold with the reason for the hold', async () => {
  givenShop({ [balancePath]: givenBalance({ frozenNum: 300 }) });
  await open(address);
  await screen.findByText('300 E Points on hold');
  screen.getByText(/A payment is in dispute at the bank/);
  expect(await balanceRows()).toEqual([
    ['Bought', '1,000'],
    ['Bonus', '240'],
    ['On hold', '300'],
    ['Ready to spend', '940'],
  ]);
});

test('the top-up page shows the amount of an E Point debt and says that the next top-up settles it first', async () => {
  givenShop({ [balancePath]: givenBalance({ basicNum: -120, presentNum: 40 }) });
  await open(address);
  expect(await screen.findAllByText('You owe 120 E Points.')).not.toEqual([]);
  screen.getByText(/Your next top-up settles this first/);
  screen.getByText('-80 E Points');
  expect(await balanceRows()).toEqual([
    ['Bought', '0'],
    ['Bonus', '40'],
    ['Owed', '120'],
    ['Ready to spend', '0'],
  ]);
});

test('the top-up page shows, logs and can reload an E Point balance that fails to load, and does not block buying', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {});
  let reply: object = refused('GameAccountNotFound');
  const calls = givenShop({ ...payable, [balancePath]: () => reply });
  await open(address);
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('Failed to get the E Point balance');
  expect(log).toHaveBeenCalledWith('The E Point balance cannot be read.', expect.anything());
  expect(await screen.findByRole('button', { name: /^Pay/ })).toHaveProperty('disabled', false);

  reply = givenBalance();
  fireEvent.click(within(alert).getByRole('button', { name: 'Try again' }));
  await screen.findByText('1,240 E Points');
  expect(callsOf(calls, balancePath).length).toBeGreaterThan(1);
});

test('the top-up page shows a skeleton while the E Point balance is loading', async () => {
  givenShop({ [balancePath]: () => new Promise<object>(() => {}) });
  await open(address);
  await screen.findByRole('radio', { name: /^500 E Points/ });
  expect(document.querySelector('.balance-bar .skeleton')).not.toBeNull();
});

test('the top-up page lets a player without a game account buy E Points and requests no balance', async () => {
  const calls = givenShop({ '/api/user/info': { ...player, gameAccountId: null } });
  await open(address);
  await screen.findByRole('button', { name: 'Pay $4.99' });
  expect(callsOf(calls, balancePath)).toEqual([]);
});

test('the top-up page offers the E Point ledger for download, with a link to the ledger checker', async () => {
  givenShop();
  await open(address);
  const download = await screen.findByRole('link', { name: 'Download ledger' });
  expect(download.getAttribute('href')).toBe('/api/epoint/ledger.txt');
  expect(download.hasAttribute('download')).toBe(true);
  const how = screen.getByRole('link', { name: 'How to check it' });
  expect(how.getAttribute('href')).toBe('/verify-ledger.mjs');
});

test('the order bar of the top-up page for E Points on a phone shows goods, account and price', async () => {
  givenWindowWidth(390);
  givenShop();
  await open(address);
  const bar = await screen.findByRole('region', { name: 'Your order' });
  within(bar).getByText('525 E Points to aveline');
  within(bar).getByText('$4.99');
  // A single payment method needs no button that opens the method list.
  expect(within(bar).getAllByRole('button')).toHaveLength(1);
});

async function balanceRows() {
  const panel = await screen.findByRole('region', { name: 'Your E Points' });
  return within(panel)
    .getAllByRole('term')
    .map((term) => [term.textContent, term.nextElementSibling?.textContent]);
}
