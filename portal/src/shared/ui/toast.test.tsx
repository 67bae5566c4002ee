import { act, cleanup, render, screen } from '@testing-library/react';
import i18next from 'i18next';
import { afterEach, expect, test, vi } from 'vitest';
import german from '../../../public/locales/de-DE/shell.json';
import { givenShop, open } from '../../../test/shop.tsx';
import { showToast, Toasts } from './toast.tsx';

afterEach(async () => {
  cleanup();
  vi.unstubAllGlobals();
  await i18next.changeLanguage('en-US');
});

test('a toast of the portal is translated, with the amounts in it, after a change of language', async () => {
  givenShop({ '/locales/de-DE/shell.json': Response.json(german) });
  await open('/main/home');
  await screen.findByRole('heading', { name: /Solmere/ });
  cleanup();
  render(<Toasts />);
  act(() =>
    showToast(
      (t, format) =>
        `${t('login.successful')} ${format.price({ amountMinor: 1250n, currency: 'USD' })}`,
      'warn',
    ),
  );
  screen.getByText('Login successful $12.50');
  await act(() => i18next.changeLanguage('de-DE'));
  screen.getByText(/^Anmeldung erfolgreich 12,50\s\$$/);
  expect(screen.queryByText(/Login successful/)).toBeNull();
});
