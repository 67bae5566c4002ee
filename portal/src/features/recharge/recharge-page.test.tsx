import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { givenWindowWidth } from '../../../test/browser.ts';
import {
  aveline,
  callsOf,
  dawnreach,
  emberfall,
  expectAddress,
  givenOrder,
  givenShop,
  open,
  orderId,
  refused,
} from '../../../test/shop.tsx';

const createPath = '/api/payment/order/create';
const payPath = '/api/payment/order/pay';
const gamePath = '/api/character/game/info';
// jsdom navigates only within the page, so the provider is a hash of the current address.
const provider = () => ({
  action: { kind: 'redirect', url: `${window.location.href.replace(/#.*/, '')}#provider` },
});
const payable = { [createPath]: givenOrder(), [payPath]: provider };

const rolesPath = '/api/character/role/list';
const selectPath = '/api/character/info/select';
const corvin = { roleId: 'r2', name: 'Corvin', level: 23 };
const game = { gameId: 'solmere', name: 'Solmere', subtitle: 'Echoes' };
const payButton = () => screen.findByRole('button', { name: /^Pay/ });

beforeEach(() => {
  sessionStorage.clear();
  givenWindowWidth(1440);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test('[S5.05] the top-up page disables its pay button and says why until a server and a game character are chosen', async () => {
  const calls = givenShop({
    ...payable,
    [gamePath]: { ...game, character: null },
    [rolesPath]: { roles: [aveline, corvin] },
  });
  await open('/main/recharge');
  const pay = await payButton();
  expect(pay).toHaveProperty('disabled', true);
  screen.getByText('Please select server and role information first');

  fireEvent.click(screen.getByRole('button', { name: /Choose server and role/ }));
  fireEvent.click(await screen.findByRole('button', { name: /Dawnreach/ }));
  fireEvent.click(screen.getByRole('button', { name: 'Close' }));
  await screen.findByText('Please select role information');
  expect(await payButton()).toHaveProperty('disabled', true);
  fireEvent.click(await payButton());
  expect(callsOf(calls, createPath)).toEqual([]);

  fireEvent.click(screen.getByRole('button', { name: /Choose a role/ }));
  fireEvent.click(await screen.findByRole('button', { name: /Aveline/ }));
  await waitFor(async () => expect(await payButton()).toHaveProperty('disabled', false));
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('[S4.09] the top-up page allows neither the choice of a server under maintenance nor a payment for a character on it', async () => {
  const maintenance = 'The server is under maintenance, please try again later.';
  givenShop({
    ...payable,
    [gamePath]: { ...game, character: { server: emberfall, role: aveline } },
  });
  await open('/main/recharge');
  expect(await payButton()).toHaveProperty('disabled', true);
  screen.getByText(maintenance);

  fireEvent.click(screen.getByRole('button', { name: /Deliver to/ }));
  const dialog = await screen.findByRole('dialog');
  const closed = await within(dialog).findByRole('button', { name: /Emberfall/ });
  expect(closed).toHaveProperty('disabled', true);
  expect(closed.textContent).toContain(maintenance);
});

test('[S8.13] the character dialog shows a message with advice for a server on which the player has no game character', async () => {
  givenShop({
    [gamePath]: { ...game, character: null },
    [rolesPath]: { roles: [] },
  });
  await open('/main/recharge');
  fireEvent.click(await screen.findByRole('button', { name: /Choose server and role/ }));
  fireEvent.click(await screen.findByRole('button', { name: /Dawnreach/ }));
  await screen.findByText('The server has no role information');
  screen.getByText('Create a role in the game first, or choose another server.');
});

test('the character dialog also selects the game character when the player chooses a server with a single character', async () => {
  const calls = givenShop({ ...payable, [gamePath]: { ...game, character: null } });
  await open('/main/recharge');
  fireEvent.click(await screen.findByRole('button', { name: /Choose server and role/ }));
  fireEvent.click(await screen.findByRole('button', { name: /Dawnreach/ }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(await payButton()).toHaveProperty('disabled', false);
  expect(callsOf(calls, selectPath)).toHaveLength(1);

  // The reopened dialog shows the chosen role and does not select it again.
  fireEvent.click(screen.getByRole('button', { name: /Deliver to/ }));
  const dialog = within(await screen.findByRole('dialog'));
  await dialog.findByRole('button', { name: /Aveline/, current: true });
  expect(callsOf(calls, selectPath)).toHaveLength(1);
});

test('[S8.13] the character dialog shows an error when the selection of a game character fails, and it can be repeated', async () => {
  let isDown = true;
  givenShop({
    ...payable,
    [gamePath]: { ...game, character: null },
    [selectPath]: () =>
      isDown ? refused('GameUnavailable') : { server: dawnreach, role: aveline },
  });
  await open('/main/recharge');
  fireEvent.click(await screen.findByRole('button', { name: /Choose server and role/ }));
  fireEvent.click(await screen.findByRole('button', { name: /Dawnreach/ }));
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('Failed to report the role information');
  expect(await payButton()).toHaveProperty('disabled', true);
  isDown = false;
  fireEvent.click(await screen.findByRole('button', { name: /Aveline/ }));
  await waitFor(async () => expect(await payButton()).toHaveProperty('disabled', false));
});

test('[S8.13] the character dialog can reload a server list that fails to load, and shows a message for an empty list', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  let reply: object = refused('SystemBusy', 503);
  givenShop({
    [gamePath]: { ...game, character: null },
    '/api/character/server/list': () => reply,
  });
  await open('/main/recharge');
  fireEvent.click(await screen.findByRole('button', { name: /Choose server and role/ }));
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('Failed to get the server list');
  reply = { servers: [] };
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByText('There are no servers to choose from right now.');
  vi.restoreAllMocks();
});

test('[S8.13] the character dialog shows an error when a list of game characters fails to load, and can reload the list', async () => {
  const complain = vi.spyOn(console, 'error').mockImplementation(() => {});
  let isDown = true;
  givenShop({
    [gamePath]: { ...game, character: null },
    [rolesPath]: () => (isDown ? refused('GameUnavailable') : { roles: [aveline] }),
  });
  await open('/main/recharge');
  fireEvent.click(await screen.findByRole('button', { name: /Choose server and role/ }));
  fireEvent.click(await screen.findByRole('button', { name: /Dawnreach/ }));
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('Failed to get the role list');
  expect(alert.textContent).toContain('The game does not answer, please try again later');

  isDown = false;
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByRole('button', { name: /Aveline/ });
  complain.mockRestore();
});

test('[S3.07] a double click on Pay of the top-up page places one order and opens the provider page once', async () => {
  const calls = givenShop(payable);
  await open('/main/recharge');
  fireEvent.click(await screen.findByRole('radio', { name: /^60 Shards/ }));
  const pay = await payButton();
  fireEvent.click(pay);
  fireEvent.click(pay);
  await waitFor(() => expect(window.location.hash).toBe('#provider'));
  fireEvent.click(pay);

  const created = callsOf(calls, createPath);
  expect(created).toHaveLength(1);
  expect(created[0]?.body).toMatchObject({
    clientOrderId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    gameId: 'solmere',
    itemId: 'shards_60',
    quantity: 1,
    serverId: dawnreach.serverId,
    roleId: aveline.roleId,
    method: 'card',
    system: 'android',
  });
  expect(callsOf(calls, payPath).map(({ body }) => body)).toEqual([{ paymentId: orderId }]);
});

test('the top-up page continues the same order on a retry after a lost connection or reload; another pack starts a new one', async () => {
  let isCut = true;
  const calls = givenShop({
    ...payable,
    [payPath]: () => (isCut ? Promise.reject(new TypeError('cut')) : provider()),
  });
  await open('/main/recharge');
  fireEvent.click(await payButton());
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('You have not been charged.');

  cleanup();
  await open('/main/recharge');
  fireEvent.click(await payButton());
  await screen.findByRole('alert');
  fireEvent.click(await screen.findByRole('radio', { name: /^60 Shards/ }));
  expect(screen.queryByRole('alert')).toBeNull();
  isCut = false;
  fireEvent.click(await payButton());
  await waitFor(() => expect(window.location.hash).toBe('#provider'));

  const ids = callsOf(calls, createPath).map(({ body }) => Object(body).clientOrderId);
  expect(ids).toHaveLength(3);
  expect(ids[1]).toBe(ids[0]);
  expect(ids[2]).not.toBe(ids[0]);
});

test.each([
  [2, 'Paid'],
  [4, 'Fulfilled'],
])(
  'the top-up page shows an open order that was paid meanwhile (%i, %s) with a message and does not pay it again',
  async (record, shown) => {
    const paid = givenOrder({ status: 'FullyPaid', record, shown });
    const calls = givenShop({ [createPath]: paid, '/api/payment/order/detail': paid });
    await open('/main/recharge');
    fireEvent.click(await payButton());
    await waitFor(() => expectAddress(`/main/recharge/detail/${orderId}`));
    await screen.findByText('This order is already paid. To buy again, press Continue topping up.');
    await screen.findByRole('link', { name: 'Continue topping up' });
    expect(callsOf(calls, payPath)).toEqual([]);
  },
);

test('the top-up page shows an open order that is in review, and does not call the order paid', async () => {
  const held = givenOrder({ status: 'Pending', shown: 'Processing', isInReview: true });
  givenShop({
    [createPath]: held,
    [payPath]: refused('OrderNotPayable'),
    '/api/payment/order/detail': held,
  });
  await open('/main/recharge');
  fireEvent.click(await payButton());
  await screen.findByText(/Please do not pay again/);
  expect(screen.queryByText(/already paid/)).toBeNull();
});

test('the top-up page replaces an open order that has expired by a new order', async () => {
  const closed = givenOrder({ record: 3, shown: 'PaymentFailed', closedReason: 'expired' });
  const replies = [closed, givenOrder({ paymentId: orderId.replace(/1$/, '2') })];
  const calls = givenShop({ ...payable, [createPath]: () => replies.shift() ?? closed });
  await open('/main/recharge');
  fireEvent.click(await payButton());
  await waitFor(() => expect(window.location.hash).toBe('#provider'));
  const ids = callsOf(calls, createPath).map(({ body }) => Object(body).clientOrderId);
  expect(new Set(ids).size).toBe(2);
});

test.each([
  ['ItemNotForSale', 'This item is not for sale', 'You have not been charged.'],
  ['SystemBusy', 'The system is busy', 'You have not been charged.'],
] as const)(
  'the top-up page shows for an order refused with %s the texts "%s" and "%s"',
  async (code, words, money) => {
    givenShop({ ...payable, [createPath]: refused(code) });
    await open('/main/recharge');
    fireEvent.click(await payButton());
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain(words);
    expect(alert.textContent).toContain(money);
  },
);

test('[S8.08] the top-up page shows an error when a payment fails to start, and a retry continues the same order', async () => {
  let isDown = true;
  const calls = givenShop({
    ...payable,
    [payPath]: () => (isDown ? refused('PaymentInitiationFailed') : provider()),
  });
  await open('/main/recharge');
  fireEvent.click(await payButton());
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toBe(
    'Payment initiation failedYou have not been charged. Trying again continues the same order.',
  );
  isDown = false;
  fireEvent.click(await payButton());
  await waitFor(() => expect(window.location.hash).toBe('#provider'));
  const ids = callsOf(calls, createPath).map(({ body }) => Object(body).clientOrderId);
  expect(new Set(ids).size).toBe(1);
});

test('[S8.18] [S3.07] the top-up page shows "Not Available in iOS" on payment and for an empty pack list on an iPhone', async () => {
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) Version/18.6 Mobile/15E148 Safari/604.1',
  );
  const calls = givenShop({ ...payable, [createPath]: refused('NotAvailableInIos') });
  await open('/main/recharge');
  fireEvent.click(await payButton());
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toBe('Not Available in iOSYou have not been charged.');
  expect(callsOf(calls, createPath)[0]?.body).toMatchObject({ system: 'ios' });

  cleanup();
  givenShop({ '/api/recharge/v2/items': { countedFor: null, groups: [] } });
  await open('/main/recharge');
  await screen.findByText('Not Available in iOS');
  vi.restoreAllMocks();
});

test('the top-up page does not claim that nothing was charged when the provider has not confirmed a payment', async () => {
  givenShop({ ...payable, [payPath]: refused('PaymentUnconfirmed') });
  await open('/main/recharge');
  fireEvent.click(await payButton());
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('you will not be charged twice');
  expect(alert.textContent).not.toContain('You have not been charged.');
});

test('the top-up page shows quantity, gift, the sum of both, and price of a pack', async () => {
  givenShop();
  await open('/main/recharge');
  await screen.findByRole('radio', { name: '300 Shards, +30 bonus = 330, $4.99' });
  screen.getByRole('tab', { name: 'Omni Cards', selected: true });
  const panel = screen.getByRole('complementary', { name: 'Your order' });
  within(panel).getByText('330 Shards');
  within(panel).getByText('300 + 30 bonus');
  within(panel).getByText('Aveline · Dawnreach');
  within(panel).getByRole('radio', { name: 'Visa card', checked: true });
});

test.each([390, 900])(
  'the top-up page at a width of %i px has a single pay button, which is in the order bar',
  async (width) => {
    givenWindowWidth(width);
    givenShop();
    await open('/main/recharge');
    const bar = await screen.findByRole('region', { name: 'Your order' });
    within(bar).getByText('330 Shards to Aveline');
    within(bar).getByRole('button', { name: 'Pay now' });
    expect(screen.getAllByRole('button', { name: /^Pay/ })).toHaveLength(1);
  },
);

test('[S8.12] the top-up page can reload a pack list that fails to load, and shows a message for an empty list', async () => {
  const complain = vi.spyOn(console, 'error').mockImplementation(() => {});
  let reply: object = refused('SystemBusy', 503);
  givenShop({ '/api/recharge/v2/items': () => reply });
  await open('/main/recharge');
  expect((await screen.findByRole('alert')).textContent).toContain('Failed to get the item list');
  reply = { countedFor: null, groups: [] };
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByText('There is nothing for sale right now.');
  complain.mockRestore();
});
