import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { givenShop, open, siteConfig } from '../../../test/shop.tsx';

const url = 'https://game.example/start';
const config = {
  ...siteConfig,
  policies: { privacyUrl: 'https://law.example/privacy', agreementUrl: null },
  gameInfo: { ...siteConfig.gameInfo, playUrls: { ios: url, android: url, desktop: url } },
};

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test.each([
  ['a browser', 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/140.0 Safari/537.36', '_blank'],
  ['a game on iOS', 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) Mobile/15E148', ''],
  [
    'a game on Android',
    'Mozilla/5.0 (Linux; Android 14; Pixel 8; wv) Version/4.0 Chrome/140.0',
    '',
  ],
  ['WeChat', 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6) Mobile MicroMessenger/8.0.61', ''],
])(
  'external links of the portal in %s open in a new tab only if that environment has tabs',
  async (_where, userAgent, target) => {
    vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(userAgent);
    givenShop();
    await open('/main/home', config);
    await screen.findByRole('heading', { name: 'Get Solmere' });
    const outside = [...document.querySelectorAll<HTMLAnchorElement>('a[href*=".example/"]')];
    // The policies, the Start Game link and the download links.
    expect(outside.length).toBeGreaterThanOrEqual(4);
    for (const link of outside) expect([link.href, link.target]).toEqual([link.href, target]);
    const isToldOf = document.body.textContent?.includes('opens in a new tab') ?? false;
    expect(isToldOf).toBe(target !== '');
  },
);
