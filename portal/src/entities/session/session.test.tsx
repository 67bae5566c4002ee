import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { givenBalance, givenShop, player, siteConfig } from '../../../test/shop.tsx';
import { createQueryClient } from '../../shared/api/query-client.ts';
import { SiteConfigProvider } from '../../shared/config/site-config.tsx';
import { useUser } from './session.ts';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function Probe() {
  return <output>{JSON.stringify(useUser())}</output>;
}

/** The first and the last user state that a component sees. */
async function statesOf(
  answers: Parameters<typeof givenShop>[0],
  isLast: (text: string) => boolean,
) {
  givenShop(answers);
  render(
    <SiteConfigProvider value={siteConfig}>
      <QueryClientProvider client={createQueryClient()}>
        <Probe />
      </QueryClientProvider>
    </SiteConfigProvider>,
  );
  const first: unknown = JSON.parse(screen.getByRole('status').textContent ?? '');
  const last = await screen.findByText(isLast);
  return [first, JSON.parse(last.textContent ?? '')];
}

test('[S3.01] the user state of the portal has login, isInit, accounts, game and the sum of bought and bonus E Points', async () => {
  const [first, last] = await statesOf(
    { '/api/epoint/overage': givenBalance({ basicNum: 70, presentNum: 30 }) },
    (text) => text.includes('"ePointNum":100'),
  );
  expect(first).toMatchObject({ login: false, isInit: false, ePointNum: null });
  expect(last).toEqual({
    login: true,
    isInit: true,
    accountId: player.accountId,
    gameAccountId: player.gameAccountId,
    gameId: 'solmere',
    userId: player.userId,
    displayName: player.displayName,
    ePointNum: 100,
  });
});

test('the user state of the portal has neither a game account nor E Points for a visitor', async () => {
  const [, last] = await statesOf({ '/api/user/info': { login: false } }, (text) =>
    text.includes('"isInit":true'),
  );
  expect(last).toMatchObject({ login: false, gameAccountId: null, ePointNum: null });
});
