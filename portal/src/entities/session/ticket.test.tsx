import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import page from '../../../index.html?raw';
import { callsOf, expectAddress, givenShop, open, player, refused } from '../../../test/shop.tsx';
import { takeTicket, ticketHeaders } from './ticket.ts';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  takeTicket();
});

const [, script = ''] = /<script>(.*?)<\/script>/s.exec(page) ?? [];

/** Runs the inline script of the page, which a browser runs before any other script. */
function runPageScript(address: string): void {
  window.history.replaceState({ kept: true }, '', address);
  new Function(script)();
}

const refusedText = 'This link has expired or was already used';

describe('inline ticket script', () => {
  test('the inline script that reads sign-in tickets and the no-referrer tag precede every element that loads a resource', () => {
    expect(script).toContain('replaceState');
    const loads = page.search(/<link|<script [^>]*src|<img/);
    expect(page.indexOf('<script>')).toBeLessThan(loads);
    expect(page.indexOf('<meta name="referrer" content="no-referrer"')).toBeLessThan(loads);
    expect(page.match(/name="referrer"/g)).toHaveLength(1);
  });

  test.each([
    ['/main/home?ticket=tk_1', '/main/home', 'tk_1'],
    ['/main/home?token=a.b.c&from=game', '/main/home?from=game', 'a.b.c'],
    ['/?from=game&ticket=tk_1&lng=de-DE&token=a.b.c', '/?from=game&lng=de-DE', 'tk_1'],
    ['/?token=a.b.c&ticket=tk_1&ticket=tk_2', '/', 'tk_1'],
    ['/?ticket=&token=a.b.c', '/', 'a.b.c'],
    ['/?tick%65t=tk_1&q=a%20b+c%2F#top', '/?q=a%20b+c%2F#top', 'tk_1'],
    ['/?ticket', '/', null],
    ['/?tickets=3&mytoken=4', '/?tickets=3&mytoken=4', null],
    ['/main/home?lng=th-TH#x', '/main/home?lng=th-TH#x', null],
    // PayPal returns its own order id in a parameter named token.
    ['/main/recharge/detail/1?via=paypal&token=5O1&PayerID=Q', '/main/recharge/detail/1', null],
    ['/dream?paymentId=1&via=paypal&token=5O1', '/dream?paymentId=1', null],
    ['/?via=paypal&token=5O1&ticket=tk_1', '/', 'tk_1'],
    ['/?via=mail&PayerID=Q&token=a.b.c', '/?via=mail&PayerID=Q', 'a.b.c'],
  ])(
    'the inline script takes the sign-in ticket or token out of the URL %s and leaves %s',
    (address, clean, ticket) => {
      runPageScript(address);
      const { pathname, search, hash } = window.location;
      expect(pathname + search + hash).toBe(clean);
      expect(window.history.state).toEqual({ kept: true });
      expect(takeTicket()).toBe(ticket);
      expect(takeTicket()).toBeNull();
    },
  );
});

describe('arrival with a ticket', () => {
  test('[S1.05] [S7.03] a sign-in ticket signs the player in with the user/info request, the only one with x-token and x-from headers', async () => {
    const calls = givenShop();
    runPageScript('/main/home?ticket=tk_1&from=game&lng=en-US');
    await open('/main/home?from=game&lng=en-US');
    await screen.findAllByText(player.displayName);
    const carried = calls.filter(({ headers }) => 'x-token' in headers || 'x-from' in headers);
    expect(carried).toEqual(callsOf(calls, '/api/user/info'));
    expect(carried.map(({ headers }) => [headers['x-token'], headers['x-from']])).toEqual([
      ['tk_1', 'game'],
    ]);
    const kept = [...Object.entries(localStorage), ...Object.entries(sessionStorage)];
    expect(JSON.stringify([kept, document.cookie, document.body.innerHTML])).not.toContain('tk_1');
    expectAddress('/main/home?from=game&lng=en-US');
  });

  test('[S7.03] a sign-in ticket in a URL without a from parameter is sent to the API with the header x-from: unknown', () => {
    window.history.replaceState(null, '', '/main');
    expect(ticketHeaders('tk_1')).toEqual({ 'x-token': 'tk_1', 'x-from': 'unknown' });
  });

  test.each(['游戏', 'a b', 'x'.repeat(33), '<script>', ''])(
    'a malformed sign-in ticket is sent to the API as "illegible", and a malformed from parameter as "unknown": %s',
    (word) => {
      window.history.replaceState(null, '', `/main?from=${encodeURIComponent(word)}`);
      expect(ticketHeaders('票')).toEqual({ 'x-token': 'illegible', 'x-from': 'unknown' });
    },
  );

  test.each([
    ['ArrivalRefused', refusedText],
    ['SignInThrottled', refusedText],
    ['AccountSuspended', 'This account is suspended'],
    ['AccountLeaving', 'Sign in to keep it'],
  ] as const)(
    'a sign-in ticket refused with %s shows one dialog, and the player continues as a visitor',
    async (code, text) => {
      const calls = givenShop({ '/api/user/info': refused(code) });
      runPageScript('/main/home?ticket=tk_1');
      await open('/main/home');
      const dialog = await screen.findByRole('dialog');
      expect(dialog.textContent).toContain(text);
      await waitFor(() => expect(window.location.pathname).toBe('/login'));
      fireEvent.click(screen.getByRole('button', { name: 'OK' }));
      expect(screen.queryByRole('dialog')).toBeNull();
      expect(callsOf(calls, '/api/user/info')).toHaveLength(1);
    },
  );

  describe('ticket of another account', () => {
    const bram = {
      ...player,
      accountId: '22222222-2222-4222-8222-222222222222',
      displayName: 'bram',
    };

    /** A server that needs a confirmation before it switches this browser to Bram. */
    function givenShopThatAsks() {
      return givenShop({
        '/api/user/info': ({ headers }) => {
          if (!('x-token' in headers)) return player;
          return headers['x-switch-account'] === 'yes'
            ? bram
            : refused('OtherAccount', 200, { displayName: bram.displayName });
        },
      });
    }

    test('a sign-in ticket of another account opens a dialog in which the player can stay signed in as before', async () => {
      const calls = givenShopThatAsks();
      runPageScript('/main/home?ticket=tk_1');
      await open('/main/home');
      const dialog = await screen.findByRole('dialog', { name: 'Switch account?' });
      expect(dialog.textContent).toContain('signed in as aveline');
      fireEvent.click(screen.getByRole('button', { name: 'Stay signed in as aveline' }));
      expect(screen.queryByRole('dialog')).toBeNull();
      expect(screen.getAllByText('aveline').length).toBeGreaterThan(0);
      expect(callsOf(calls, '/api/user/info')).toHaveLength(2);
    });

    test('a sign-in ticket of another account switches the account after the player agrees in a dialog', async () => {
      const calls = givenShopThatAsks();
      runPageScript('/main/home?ticket=tk_1&from=game');
      await open('/main/home?from=game');
      fireEvent.click(await screen.findByRole('button', { name: 'Switch to bram' }));
      await screen.findAllByText('bram');
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
      expect(screen.queryByText('aveline')).toBeNull();
      const last = callsOf(calls, '/api/user/info').at(-1);
      expect(last?.headers).toMatchObject({ 'x-token': 'tk_1', 'x-from': 'game' });
    });
  });

  test('a sign-in ticket is sent again when the connection was lost before a response', async () => {
    let tries = 0;
    const calls = givenShop({
      '/api/user/info': () => {
        tries += 1;
        if (tries === 1) throw new TypeError('Failed to fetch');
        return player;
      },
    });
    runPageScript('/main/home?ticket=tk_1');
    await open('/main/home');
    await screen.findAllByText(player.displayName);
    const sent = callsOf(calls, '/api/user/info').map(({ headers }) => headers['x-token']);
    expect(sent).toEqual(['tk_1', 'tk_1']);
    expect(takeTicket()).toBeNull();
  });
});

test('[S7.03] a page load without sign-in ticket or token sends neither x-token nor x-from', async () => {
  const calls = givenShop();
  runPageScript('/main/home?from=mail');
  await open('/main/home?from=mail');
  await screen.findAllByText(player.displayName);
  expect(calls.some(({ headers }) => 'x-token' in headers || 'x-from' in headers)).toBe(false);
});
