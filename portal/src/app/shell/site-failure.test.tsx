import { errorCodes } from '@pointgate/contract/errors.ts';
import { screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import german from '../../../public/locales/de-DE/shell.json';
import { loadSiteConfig } from '../../shared/config/site-config.tsx';
import { showSiteFailure } from './site-failure.tsx';

afterEach(() => {
  document.head.innerHTML = '';
  document.body.innerHTML = '';
  vi.unstubAllGlobals();
});

const code = 'SiteUnavailable';
const refusal = { isSuccess: false, data: null, msg: errorCodes[code].meaning, code, status: 503 };

test.each(['in the page', 'asked for'])(
  'the portal shows the error of a site under maintenance in the language of the player (site config %s)',
  async (where) => {
    vi.stubGlobal('fetch', async (path: string) =>
      path === '/config.json' ? Response.json(refusal, { status: 503 }) : Response.json(german),
    );
    if (where === 'in the page') {
      document.head.innerHTML = `<script type="application/json" id="site-config">${JSON.stringify(refusal)}</script>`;
    }
    document.body.innerHTML = '<div id="root"></div>';
    window.history.replaceState(null, '', '/?lng=de-DE');
    const error: unknown = await loadSiteConfig().catch((reason: unknown) => reason);
    expect(error).toMatchObject({ status: 503, code });

    const root = document.getElementById('root');
    if (root !== null) await showSiteFailure(root, error);
    await waitFor(() => screen.getByRole('alert'));
    expect(screen.getByRole('heading').textContent).toBe(german.errors.SiteUnavailable);
    expect(screen.getByRole('button').textContent).toBe(german.global.refresh);
  },
);
