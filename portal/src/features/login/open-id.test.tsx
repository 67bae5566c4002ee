import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, render, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { callsOf, givenShop, player, refused, siteConfig } from '../../../test/shop.tsx';
import { receiveArrival } from '../../entities/session/arrival.ts';
import { redirectDelayMs, rememberOpenId } from '../../entities/session/wechat.ts';
import { createQueryClient } from '../../shared/api/query-client.ts';
import { currentEnvironment } from '../../shared/browser/environment.ts';
import { forgetTab } from '../../shared/browser/kept.ts';
import { SiteConfigProvider } from '../../shared/config/site-config.tsx';
import { startI18n } from '../../shared/i18n/i18n.ts';
import { ArrivalHandling } from './arrival-handling.tsx';

const inWechat = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4) Mobile MicroMessenger/8.0.49';
const openIdPath = '/api/user/wechat/info/get';

await startI18n(siteConfig.locales);

interface Visit {
  userAgent?: string;
  wechatAppId?: string | null;
  session?: object;
  openId?: object;
  address?: string;
}

function visit({ userAgent = inWechat, wechatAppId = 'wx123', ...rest }: Visit = {}) {
  const { session = player, openId = refused('AuthFail'), address = '/main/home?from=mail' } = rest;
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(userAgent);
  const calls = givenShop({ '/api/user/info': session, [openIdPath]: openId });
  const { gameInfo } = siteConfig;
  const customConfig = { ...gameInfo.customConfig, wechatAppId };
  window.history.replaceState(null, '', address);
  receiveArrival(currentEnvironment());
  const leaveFor = vi.fn();
  render(
    <SiteConfigProvider value={{ ...siteConfig, gameInfo: { ...gameInfo, customConfig } }}>
      <QueryClientProvider client={createQueryClient()}>
        <ArrivalHandling leaveFor={leaveFor} />
      </QueryClientProvider>
    </SiteConfigProvider>,
  );
  return { calls, leaveFor };
}

/** Waits longer than the delay of the redirect. */
async function settled(calls: ReturnType<typeof givenShop>) {
  await waitFor(() => expect(callsOf(calls, '/api/user/info')).toHaveLength(1));
  await new Promise((resolve) => setTimeout(resolve, redirectDelayMs * 3));
}

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test('[S4.17] a browser inside WeChat without an open id is redirected to WeChat once per session', async () => {
  expect(redirectDelayMs).toBe(100);
  const { leaveFor } = visit();
  await waitFor(() => expect(leaveFor).toHaveBeenCalledOnce());
  const here = encodeURIComponent(`${window.location.origin}/main/home?from=mail`);
  expect(leaveFor.mock.calls[0]?.[0]).toBe(
    `https://open.weixin.qq.com/connect/oauth2/authorize?appid=wx123&redirect_uri=${here}` +
      '&response_type=code&scope=snsapi_base#wechat_redirect',
  );

  cleanup();
  const again = visit();
  await settled(again.calls);
  expect(again.leaveFor).not.toHaveBeenCalled();
});

test('[S4.17] the portal redirects to WeChat for an open id after 100 ms', async () => {
  vi.useFakeTimers();
  try {
    const { leaveFor, calls } = visit();
    while (callsOf(calls, '/api/user/info').length === 0) await vi.advanceTimersByTimeAsync(0);
    // Handling the response takes several turns of the event loop, but no timer.
    for (let turn = 0; turn < 50; turn += 1) await act(() => vi.advanceTimersByTimeAsync(0));
    expect(vi.getTimerCount()).toBeGreaterThan(0);
    await vi.advanceTimersByTimeAsync(99);
    expect(leaveFor).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(leaveFor).toHaveBeenCalledOnce();
  } finally {
    vi.useRealTimers();
  }
});

test('[S4.17] a refused WeChat code for an open id leads to one new redirect to WeChat and no redirect loop', async () => {
  const { leaveFor, calls } = visit({ address: '/main/home?code=stale' });
  await waitFor(() => expect(leaveFor).toHaveBeenCalledOnce());
  expect(callsOf(calls, openIdPath)).toHaveLength(1);
  cleanup();
  const again = visit({ address: '/main/home?code=stale' });
  await settled(again.calls);
  expect(again.leaveFor).not.toHaveBeenCalled();
});

test('a browser without sessionStorage is not redirected to WeChat for an open id', async () => {
  vi.spyOn(window, 'sessionStorage', 'get').mockImplementation(() => {
    throw new DOMException('denied', 'SecurityError');
  });
  const { leaveFor, calls } = visit();
  await settled(calls);
  expect(leaveFor).not.toHaveBeenCalled();
  forgetTab();
});

test('a browser outside WeChat, without app id, with an open id or signed out is not redirected to WeChat', async () => {
  const cases: [Visit, string?][] = [
    [{ userAgent: 'Mozilla/5.0 (Windows NT 10.0) Chrome/124.0 Safari/537.36' }],
    [{ wechatAppId: null }],
    [{ session: { login: false } }],
    [{}, 'o-1'],
  ];
  for (const [given, openId] of cases) {
    if (openId !== undefined) rememberOpenId(openId);
    const { leaveFor, calls } = visit(given);
    await settled(calls);
    expect(leaveFor).not.toHaveBeenCalled();
    cleanup();
  }
});
