import type { ErrorCode } from '@pointgate/contract/errors.ts';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import i18next from 'i18next';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import german from '../../../public/locales/de-DE/shell.json';
import { givenWindowWidth } from '../../../test/browser.ts';
import {
  aveline,
  callsOf,
  dawnreach,
  givenShop,
  open,
  orderId,
  refused,
} from '../../../test/shop.tsx';

const redeemPath = '/api/redeem/use';
const gamePath = '/api/character/game/info';
const balancePath = '/api/epoint/overage';
const game = { gameId: 'solmere', name: 'Solmere', subtitle: 'Echoes', character: null };
const redemption = (reward: object, paymentId: string | null = null) => ({
  redemptionId: '22222222-2222-4222-8222-222222222222',
  redeemedAt: '2026-11-15T10:00:00.000Z',
  reward,
  paymentId,
});
const points = redemption({ kind: 'points', points: '500', days: 30 });
const item = redemption(
  {
    kind: 'item',
    itemId: 'shards_300',
    itemName: '300 Lumen Shards',
    itemArt: 'shard3',
    unit: 'Shards',
    quantity: '300',
    giftQuantity: '30',
  },
  orderId,
);

const box = () => screen.findByRole('region', { name: 'Redeem a code' });

/** Types the code and submits the form, as the Enter key does. */
async function redeem(code: string) {
  const region = await box();
  const field = within(region).getByRole('textbox', { name: 'Code' });
  fireEvent.change(field, { target: { value: code } });
  const form = field.closest('form');
  if (form === null) throw new Error('The code field is not inside a form.');
  fireEvent.submit(form);
  return region;
}

beforeEach(() => givenWindowWidth(1440));
afterEach(async () => {
  cleanup();
  vi.unstubAllGlobals();
  await i18next.changeLanguage('en-US');
});

test('the redeem box of the home page shows amount and validity of redeemed E Points and reloads the balance', async () => {
  const calls = givenShop({ [redeemPath]: points });
  await open('/main/home');
  await box();
  await waitFor(() => expect(callsOf(calls, balancePath)).toHaveLength(1));
  const region = await redeem('  abcd efgh-1234 ');
  const told = await within(region).findByText('You got 500 E Points');
  expect(told.closest('[role=status]')).not.toBeNull();
  within(region).getByText('They are valid for 30 days.');
  expect(within(region).queryByRole('link')).toBeNull();
  expect(within(region).getByRole('textbox')).toHaveProperty('value', '');
  // The code is sent as typed: the server normalises separators.
  const { serverId } = dawnreach;
  expect(callsOf(calls, redeemPath).map(({ body }) => body)).toEqual([
    { code: 'abcd efgh-1234', serverId, roleId: aveline.roleId },
  ]);
  await waitFor(() => expect(callsOf(calls, balancePath)).toHaveLength(2));
});

test('the redeem box of the home page shows the game character that receives a redeemed item and a link to its order', async () => {
  givenShop({ [redeemPath]: item });
  await open('/main/home');
  const region = await redeem('GIFT');
  await within(region).findByText('You got 330 Shards');
  within(region).getByText('On its way to Aveline in the game.');
  const link = within(region).getByRole('link', { name: 'See the order' });
  expect(link.getAttribute('href')).toBe(`/main/recharge/detail/${orderId}`);
});

test('the redeem box of the home page asks for a game character only for an item, and keeps the typed redeem code meanwhile', async () => {
  let reply: object = points;
  const calls = givenShop({
    [gamePath]: game,
    [redeemPath]: () => reply,
  });
  await open('/main/home');
  const region = await redeem('POINTS');
  await within(region).findByText('You got 500 E Points');
  expect(callsOf(calls, redeemPath)[0]?.body).toEqual({ code: 'POINTS' });

  reply = refused('ServerNotFound');
  await redeem('GIFT');
  const alert = await within(region).findByRole('alert');
  expect(alert.textContent).toContain('Choose who gets it, then redeem it again.');
  expect(within(region).getByRole('textbox')).toHaveProperty('value', 'GIFT');
  fireEvent.click(within(region).getByRole('button', { name: /Choose server and role/ }));
  fireEvent.click(await screen.findByRole('button', { name: /Dawnreach/ }));
  fireEvent.click(await screen.findByRole('button', { name: /^Aveline/ }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

  reply = item;
  fireEvent.click(within(region).getByRole('button', { name: 'Redeem' }));
  await within(region).findByText('You got 330 Shards');
  expect(callsOf(calls, redeemPath).at(-1)?.body).toMatchObject({ roleId: aveline.roleId });
});

test.each<[ErrorCode, RegExp]>([
  ['RedeemCodeNotFound', /no such code/],
  ['RedeemCodeUsed', /has been used/],
  ['RedeemCodeExpired', /has expired/],
  ['RedeemCodeNotStarted', /cannot be redeemed yet/],
  ['RedeemLimitReached', /as many codes/],
  ['RedeemWrongRegion', /not valid on this site/],
  ['RedeemThrottled', /Too many wrong codes/],
  ['ServerMaintenance', /under maintenance/],
  ['GameUnavailable', /does not answer/],
  ['EPointDebt', /in debt/],
  ['SystemBusy', /busy/],
])(
  'the redeem box of the home page shows a text of its own for a redemption refused with %s until the code is edited',
  async (code, text) => {
    givenShop({ [redeemPath]: refused(code) });
    await open('/main/home');
    const region = await redeem('GIFT');
    const alert = await within(region).findByRole('alert');
    expect(alert.textContent).toMatch(text);
    fireEvent.change(within(region).getByRole('textbox'), { target: { value: 'GIFT2' } });
    expect(within(region).queryByRole('alert')).toBeNull();
  },
);

test('the redeem box of the home page shows an error for an empty redeem code and does not send it', async () => {
  const calls = givenShop();
  await open('/main/home');
  const region = await redeem('   ');
  within(region).getByText('Please enter a code');
  expect(document.activeElement).toBe(within(region).getByRole('textbox'));
  expect(callsOf(calls, redeemPath)).toEqual([]);
});

test('the redeem box of the home page says that a retry is safe if no response comes; a double click sends one request', async () => {
  let isCut = true;
  const calls = givenShop({
    [redeemPath]: () => (isCut ? Promise.reject(new TypeError('cut')) : points),
  });
  await open('/main/home');
  const region = await redeem('GIFT');
  const alert = await within(region).findByRole('alert');
  expect(alert.textContent).toContain('a code counts only once');
  isCut = false;
  const button = within(region).getByRole('button', { name: 'Redeem' });
  fireEvent.click(button);
  fireEvent.click(button);
  await within(region).findByText('You got 500 E Points');
  expect(callsOf(calls, redeemPath)).toHaveLength(2);
});

test('the redeem box of the home page and its result are translated after a change of language', async () => {
  givenShop({ '/locales/de-DE/shell.json': Response.json(german), [redeemPath]: points });
  await open('/main/home');
  const region = await redeem('GIFT');
  await within(region).findByText('You got 500 E Points');
  await i18next.changeLanguage('de-DE');
  await screen.findByRole('region', { name: 'Code einlösen' });
  screen.getByText('Du hast 500 E-Points erhalten');
});
