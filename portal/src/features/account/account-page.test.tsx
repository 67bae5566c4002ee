import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { givenPasskeyDevice, requestOptions, shownPasskey } from '../../../test/passkey-device.ts';
import { callsOf, expectAddress, givenShop, open, player, refused } from '../../../test/shop.tsx';

const [realNamePath, budgetPath] = ['/api/user/real/info/query', '/api/user/budget/query'];
const [startPath, finishPath] = ['/api/user/step-up/start', '/api/user/step-up/finish'];

const person = {
  fullName: '张*丰',
  address: '***',
  phone: '+86 ********000',
  email: 'p***@example.com',
  birthday: null,
  identityNumber: '1****************8',
  approvalDate: '2025-03-01',
  approvalRegion: '广东',
};
const nobody = Object.fromEntries(Object.keys(person).map((key) => [key, null]));
const noBudget = { currency: 'USD', amountMinor: null, spentMinor: '0', pending: null };

function givenAccountShop(other: Parameters<typeof givenShop>[0] = {}) {
  return givenShop({ [realNamePath]: person, [budgetPath]: noBudget, ...other });
}

const section = async (name: string) => within(await screen.findByRole('region', { name }));

/** Maps each label to its value. */
const factsOf = (region: HTMLElement) =>
  Object.fromEntries(
    [...region.querySelectorAll('dl > div')].map((row) => [
      row.querySelector('dt')?.textContent,
      row.querySelector('dd')?.textContent,
    ]),
  );

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test('[S2.11] /main/account redirects to /main/account/user and keeps the query string', async () => {
  givenAccountShop();
  await open('/main/account?from=mail');
  await screen.findByRole('heading', { name: 'Account info', level: 1 });
  expectAddress('/main/account/user?from=mail');
  await waitFor(() => expect(document.title).toBe('Account info - Omni'));
});

test('the top navigation and its account menu both link to the account page', async () => {
  givenAccountShop();
  await open('/main/home');
  const link = await screen.findByRole('link', { name: 'Account' });
  expect(link.getAttribute('href')).toBe('/main/account/user');
  fireEvent.click(await screen.findByRole('button', { name: 'Account' }));
  fireEvent.click(screen.getByRole('link', { name: 'Account info' }));
  await screen.findByRole('heading', { name: 'Account info', level: 1 });
  expect(screen.getByRole('link', { name: 'Account' }).getAttribute('aria-current')).toBe('page');
});

test('[S2.12] the account page shows account ID, game account, game and sign-in method', async () => {
  givenAccountShop();
  await open('/main/account/user');
  const who = await screen.findByRole('region', { name: 'aveline' });
  await within(who).findByText('Solmere');
  expect(factsOf(who)).toEqual({
    'Account ID': 'u-1',
    'Game account': 'g-1',
    Game: 'Solmere',
    'Sign-in method': 'Account name and password',
  });
});

test('the account page lacks only the game name while the game does not answer, and a retry loads the name', async () => {
  const answers = [refused('GameUnavailable'), refused('GameUnavailable')];
  givenAccountShop({
    '/api/user/info': { ...player, gameAccountId: null, accountType: 'WECHAT' },
    '/api/character/game/info': () =>
      answers.shift() ?? { gameId: 'solmere', name: 'Solmere', subtitle: '', character: null },
  });
  await open('/main/account/user');
  const who = await screen.findByRole('region', { name: 'aveline' });
  await within(who).findByText('Could not be loaded');
  expect(factsOf(who)).toMatchObject({ 'Game account': 'None yet', 'Sign-in method': 'WeChat' });
  answers.length = 0;
  fireEvent.click(within(who).getByRole('button', { name: 'Try again' }));
  await within(who).findByText('Solmere');
});

test('[S3.09] the account page shows real-name information as masked by the server, and empty fields as "Not given"', async () => {
  givenAccountShop();
  await open('/main/account/user');
  const region = await screen.findByRole('region', { name: 'Real-name information' });
  await within(region).findByText('张*丰');
  expect(factsOf(region)).toEqual({
    'Full name': '张*丰',
    'Identity number': '1****************8',
    'Phone number': '+86 ********000',
    Email: 'p***@example.com',
    Birthday: 'Not given',
    Address: '***',
    'Approved on': 'Mar 1, 2025',
    'Approved in': '广东',
  });
  expect(within(region).queryByRole('textbox')).toBeNull();
});

test('the account page shows an approval region of real-name information by country name, not by country code', async () => {
  givenAccountShop({ [realNamePath]: { ...person, approvalRegion: 'DE' } });
  await open('/main/account/user');
  await (await section('Real-name information')).findByText('Germany');
});

test('the account page shows a single note instead of empty fields to an account without real-name information', async () => {
  givenAccountShop({ [realNamePath]: nobody });
  await open('/main/account/user');
  const region = await section('Real-name information');
  await region.findByText('No real-name information yet');
  expect(region.queryByText('Not given')).toBeNull();
});

test('a section of the account page that fails to load shows an error and a retry button while the others load', async () => {
  const answers = [refused('SystemBusy', 503)];
  givenAccountShop({ [realNamePath]: () => answers.shift() ?? person });
  await open('/main/account/user');
  const region = await section('Real-name information');
  const alert = await region.findByRole('alert');
  expect(alert.textContent).toContain('Failed to get the real-name information');
  expect(alert.textContent).toContain('The system is busy');
  await (await section('Monthly budget')).findByText('No budget set');

  fireEvent.click(region.getByRole('button', { name: 'Try again' }));
  await region.findByText('张*丰');
  expect(region.queryByRole('alert')).toBeNull();
  expect(document.activeElement).toBe(region.getByRole('heading', { level: 2 }));
});

test('the account page shows locked real-name information after the player has confirmed with a passkey', async () => {
  const asked = givenPasskeyDevice();
  let isConfirmed = false;
  const calls = givenAccountShop({
    '/api/user/passkey/list': { passkeys: [] },
    [realNamePath]: () => (isConfirmed ? person : refused('StepUpNeeded')),
    [startPath]: { options: requestOptions },
    [finishPath]: () => {
      isConfirmed = true;
      return {};
    },
  });
  await open('/main/account/user');
  const region = await section('Real-name information');
  await region.findByRole('heading', { name: 'Confirm it is you' });
  expect(region.queryByRole('alert')).toBeNull();
  expect(asked).toEqual([]);

  fireEvent.click(region.getByRole('button', { name: 'Confirm with a passkey' }));
  await region.findByText('张*丰');
  expect(asked).toEqual(['get']);
  expect(callsOf(calls, finishPath).map(({ body }) => body)).toEqual([{ response: shownPasskey }]);
});

test('the account page shows until when real-name information stays locked after a password change', async () => {
  const until = '2026-11-22T10:00:00.000Z';
  givenAccountShop({ [realNamePath]: refused('RealNameWaits', 200, { until }) });
  await open('/main/account/user');
  const region = await section('Real-name information');
  await region.findByText('Closed for now');
  expect(region.getByText(/opens again on .*2026/)).toBeTruthy();
  expect(region.queryByText(/StepUpNeeded|Confirm it is you/)).toBeNull();
});

test('a cancelled passkey confirmation on the account page sends nothing and can be repeated', async () => {
  givenPasskeyDevice('cancels');
  const calls = givenAccountShop({
    '/api/user/passkey/list': { passkeys: [] },
    [realNamePath]: refused('StepUpNeeded'),
    [startPath]: { options: requestOptions },
  });
  await open('/main/account/user');
  const region = await section('Real-name information');
  fireEvent.click(await region.findByRole('button', { name: 'Confirm with a passkey' }));
  const alert = await region.findByRole('alert');
  expect(alert.textContent).toContain('It was cancelled or took too long.');
  region.getByRole('button', { name: 'Confirm with a passkey' });
  expect(callsOf(calls, finishPath)).toEqual([]);
});

test('the account page in an in-app browser, where passkeys do not work, asks the player to open it in a browser', async () => {
  givenPasskeyDevice();
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(
    'Mozilla/5.0 (Linux; Android 15; wv) Chrome/140.0 Mobile Safari/537.36 MicroMessenger/8.0',
  );
  const calls = givenAccountShop({ [realNamePath]: refused('StepUpNeeded') });
  await open('/main/account/user');
  const region = await section('Real-name information');
  await region.findByText(/Please open this page in your browser/);
  expect(region.queryByRole('button')).toBeNull();
  expect(screen.queryByRole('region', { name: 'Passkeys' })).toBeNull();
  expect(callsOf(calls, '/api/user/passkey/list')).toEqual([]);
});
