import { endSession, listSessions } from '@pointgate/contract/sessions.ts';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { callsOf, givenShop, open, refused } from '../../../test/shop.tsx';

const here = {
  siteId: 'solmere',
  siteTitle: 'Solmere',
  device: { browser: 'chrome', system: 'windows' },
  seenAt: '2026-11-15T10:00:00.000Z',
  startedAt: '2026-11-15T10:00:00.000Z',
  endsAt: '2026-12-15T10:00:00.000Z',
  isByLink: false,
  isThis: true,
};
const elsewhere = {
  ...here,
  siteId: 'omni',
  siteTitle: 'Omni Games',
  device: { browser: 'wechat', system: 'android' },
  seenAt: '2026-11-14T09:00:00.000Z',
  startedAt: '2026-11-14T09:00:00.000Z',
  isByLink: true,
  isThis: false,
};

const section = async () =>
  within(await screen.findByRole('region', { name: 'Where you are signed in' }));

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test('the session list of the account page shows device, site, times and the current session, which cannot be ended', async () => {
  givenShop({ [listSessions.path]: { sessions: [here, elsewhere] } });
  await open('/main/account/user');
  const [first, second] = await (await section()).findAllByRole('listitem');
  expect(first?.textContent).toContain('Chrome on WindowsThis deviceSolmereIn use now');
  expect(first?.textContent).toContain('Signed in Nov 15, 2026');
  expect(first?.textContent).toContain('Ends by itself Dec 15, 2026');
  expect(first?.querySelector('button')).toBeNull();
  expect(second?.textContent).toContain('Opened from the game Nov 14, 2026');
  expect(second?.textContent).not.toContain('This device');
  expect(second?.textContent).toContain('WeChat on AndroidOmni Games');
});

test.each([
  [{ browser: 'app', system: 'ios' }, 'An app on iOS'],
  [{ browser: 'samsung', system: 'android' }, 'Samsung Internet on Android'],
  [{ browser: null, system: 'macos' }, 'macOS'],
  [{ browser: 'firefox', system: null }, 'Firefox'],
  [{ browser: null, system: null }, 'Unknown device'],
])(
  'the session list of the account page shows a session with device %o as "%s"',
  async (device, words) => {
    givenShop({ [listSessions.path]: { sessions: [here, { ...elsewhere, device }] } });
    await open('/main/account/user');
    const [, row] = await (await section()).findAllByRole('listitem');
    expect(row?.querySelector('.session-device')?.textContent).toBe(words);
  },
);

test.each([
  [0.5, 'Used within the last hour'],
  [3.5, 'Last used 3 hours ago'],
  [30, 'Last used yesterday'],
  [80, 'Last used 3 days ago'],
  [null, null],
])(
  'the session list of the account page shows a session that was last used %s hours ago as "%s"',
  async (hoursAgo, words) => {
    const seenAt = hoursAgo && new Date(Date.now() - hoursAgo * 3_600_000).toISOString();
    givenShop({ [listSessions.path]: { sessions: [here, { ...elsewhere, seenAt }] } });
    await open('/main/account/user');
    const [, row] = await (await section()).findAllByRole('listitem');
    const times = [...(row?.querySelectorAll('.session-times span') ?? [])];
    expect(
      times.map(({ textContent }) => textContent).find((text) => /used/i.test(text ?? '')),
    ).toBe(words ?? undefined);
  },
);

test('the account page signs out a session on another site by a request with its site and start time', async () => {
  let sessions = [here, elsewhere];
  const calls = givenShop({
    [listSessions.path]: () => ({ sessions }),
    [endSession.path]: () => {
      sessions = [here];
      return {};
    },
  });
  await open('/main/account/user');
  const region = await section();
  fireEvent.click(await region.findByRole('button', { name: 'Sign out on Omni Games' }));
  await screen.findByText('Signed out on Omni Games');
  await waitFor(() => expect(region.getAllByRole('listitem')).toHaveLength(1));
  expect(callsOf(calls, endSession.path).map(({ body }) => body)).toEqual([
    { siteId: 'omni', startedAt: elsewhere.startedAt },
  ]);
});

test('the session list of the account page keeps a session that could not be ended, with an error message', async () => {
  givenShop({
    [listSessions.path]: { sessions: [here, elsewhere] },
    [endSession.path]: refused('SystemBusy', 503),
  });
  await open('/main/account/user');
  const region = await section();
  fireEvent.click(await region.findByRole('button', { name: 'Sign out on Omni Games' }));
  const alert = await region.findByRole('alert');
  expect(alert.textContent).toContain('You are still signed in on Omni Games');
  expect(region.getAllByRole('listitem')).toHaveLength(2);
});

test('the session list of the account page shows an error when it fails to load, and can be reloaded', async () => {
  let isDown = true;
  givenShop({
    [listSessions.path]: () => (isDown ? refused('SystemBusy', 503) : { sessions: [here] }),
  });
  await open('/main/account/user');
  const region = await section();
  const alert = await region.findByRole('alert');
  expect(alert.textContent).toContain('Failed to get where you are signed in');
  isDown = false;
  fireEvent.click(region.getByRole('button', { name: 'Try again' }));
  expect(await region.findAllByRole('listitem')).toHaveLength(1);
});

test('the session list of the account page shows a skeleton while it is loading', async () => {
  givenShop({ [listSessions.path]: () => new Promise<object>(() => {}) });
  await open('/main/account/user');
  await section();
  await waitFor(() => expect(document.querySelector('.sessions-skeleton')).not.toBeNull());
});
