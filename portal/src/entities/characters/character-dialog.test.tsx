import { act, cleanup, fireEvent, screen, within } from '@testing-library/react';
import i18next from 'i18next';
import { afterEach, beforeEach, test, vi } from 'vitest';
import german from '../../../public/locales/de-DE/shell.json';
import { givenWindowWidth } from '../../../test/browser.ts';
import { dawnreach, givenShop, open } from '../../../test/shop.tsx';

beforeEach(() => {
  sessionStorage.clear();
  givenWindowWidth(1440);
});
afterEach(async () => {
  cleanup();
  vi.unstubAllGlobals();
  await i18next.changeLanguage('en-US');
});

test('the character dialog translates the server name above the list of game characters after a change of language', async () => {
  let region = 'Asia';
  givenShop({
    '/locales/de-DE/shell.json': Response.json(german),
    '/api/character/server/list': () => ({ servers: [{ ...dawnreach, region }] }),
  });
  await open('/main/recharge');
  fireEvent.click(await screen.findByRole('button', { name: /Deliver to/ }));
  const dialog = await screen.findByRole('dialog');
  await within(dialog).findByText(/Asia · Dawnreach/);

  region = 'Asien';
  await act(() => i18next.changeLanguage('de-DE'));
  await within(dialog).findByText(/Asien · Dawnreach/);
});

test('the top-up page translates the name of a chosen server without game characters after a change of language', async () => {
  let region = 'Asia';
  const game = { gameId: 'solmere', name: 'Solmere', subtitle: '' };
  givenShop({
    '/locales/de-DE/shell.json': Response.json(german),
    '/api/character/game/info': { ...game, character: null },
    '/api/character/role/list': { roles: [] },
    '/api/character/server/list': () => ({ servers: [{ ...dawnreach, region }] }),
  });
  await open('/main/recharge');
  fireEvent.click(await screen.findByRole('button', { name: /Choose server and role/ }));
  fireEvent.click(await screen.findByRole('button', { name: /Asia · Dawnreach/ }));
  await screen.findByText('The server has no role information');
  const dialog = within(screen.getByRole('dialog'));
  fireEvent.click(dialog.getByRole('button', { name: 'Close' }));
  await screen.findByRole('button', { name: /Choose a role.*Asia · Dawnreach/ });

  region = 'Asien';
  await act(() => i18next.changeLanguage('de-DE'));
  await screen.findByRole('button', { name: /Asien · Dawnreach/ });
});
