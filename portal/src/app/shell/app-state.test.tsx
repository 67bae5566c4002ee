import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import { BrowserRouter } from 'react-router';
import { afterEach, expect, test, vi } from 'vitest';
import { givenWindowWidth } from '../../../test/browser.ts';
import { givenShop, player, siteConfig } from '../../../test/shop.tsx';
import { createQueryClient } from '../../shared/api/query-client.ts';
import { SiteConfigProvider } from '../../shared/config/site-config.tsx';
import { useAppState } from './app-state.ts';

afterEach(() => {
  cleanup();
  givenWindowWidth(1440);
  vi.unstubAllGlobals();
});

function Probe() {
  const { userInfo, config, loading, isMobile, toLink } = useAppState();
  const state = {
    userInfo: { login: userInfo.login, userId: userInfo.userId },
    config: { siteTitle: config.siteTitle, domainType: config.domainType },
    loading,
    isMobile,
    links: ['/main/home', '/main/event?tab=all', '/main/home?lng=ja-JP'].map(toLink),
  };
  return <output>{JSON.stringify(state)}</output>;
}

function stateOf(): unknown {
  return JSON.parse(screen.getByRole('status').textContent ?? '');
}

test('[S3.02] the shared state of the portal has user, site config, loading and phone layout; its links keep language and source', async () => {
  givenShop();
  givenWindowWidth(750);
  window.history.replaceState(null, '', '/main/recharge?lng=de-DE&item=a&from=mail');
  render(
    <SiteConfigProvider value={siteConfig}>
      <QueryClientProvider client={createQueryClient()}>
        <BrowserRouter>
          <Probe />
        </BrowserRouter>
      </QueryClientProvider>
    </SiteConfigProvider>,
  );
  const config = { siteTitle: 'Omni', domainType: 0 };
  expect(stateOf()).toMatchObject({ userInfo: { login: false }, config, loading: true });
  await screen.findByText(/"loading":false/);
  expect(stateOf()).toEqual({
    userInfo: { login: true, userId: player.userId },
    config,
    loading: false,
    isMobile: true,
    // Links keep the language and the source of the visit, but not the pack of the page.
    links: [
      '/main/home?lng=de-DE&from=mail',
      '/main/event?tab=all&lng=de-DE&from=mail',
      '/main/home?lng=ja-JP&from=mail',
    ],
  });
});
