import { loginMethods, type SignedIn } from '@pointgate/contract/accounts.ts';
import type { ErrorCode } from '@pointgate/contract/errors.ts';
import { locales } from '@pointgate/contract/locales.ts';
import type { SiteConfig } from '@pointgate/contract/site-config.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import i18next from 'i18next';
import type { ReactNode } from 'react';
import { BrowserRouter } from 'react-router';
import { expect, vi } from 'vitest';
import { AppRoutes } from '../src/app/router.tsx';
import { receiveArrival } from '../src/entities/session/arrival.ts';
import { identifyCaller } from '../src/shared/api/client.ts';
import { createQueryClient } from '../src/shared/api/query-client.ts';
import { currentEnvironment } from '../src/shared/browser/environment.ts';
import { SiteConfigProvider } from '../src/shared/config/site-config.tsx';
import { startI18n } from '../src/shared/i18n/i18n.ts';
import './browser.ts';

interface Call {
  path: string;
  body: unknown;
  headers: Record<string, string>;
}

type Answer = object | Response | ((call: Call) => object | Response | Promise<object | Response>);

export const player: SignedIn = {
  login: true,
  accountId: '11111111-1111-4111-8111-111111111111',
  accountType: 'ACCOUNT',
  displayName: 'aveline',
  userId: 'u-1',
  gameAccountId: 'g-1',
};

export const dawnreach = {
  serverId: 's12',
  name: 'Dawnreach',
  region: 'Asia',
  status: 0,
  maintenanceUntil: null,
};
export const emberfall = {
  serverId: 's13',
  name: 'Emberfall',
  region: 'Asia',
  status: 1,
  maintenanceUntil: null,
};
export const aveline = { roleId: 'r1', name: 'Aveline', level: 58 };

const terms = {
  quoteId: 'quote-of-these-tests',
  saleFrom: null,
  saleUntil: null,
  limit: null,
  rebatePoints: null,
};

/** The default responses of the server. */
const answers: Record<string, Answer> = {
  '/api/user/info': player,
  '/api/character/game/info': {
    gameId: 'solmere',
    name: 'Solmere',
    subtitle: 'Echoes of the Drowned Sun',
    character: { server: dawnreach, role: aveline },
  },
  '/api/character/server/list': { servers: [dawnreach, emberfall] },
  '/api/character/role/list': { roles: [aveline] },
  '/api/character/info/select': { server: dawnreach, role: aveline },
  '/api/recharge/v2/items': {
    countedFor: null,
    groups: [{ groupId: 'shards', name: 'Shards', items: [givenItem(60n), givenItem(300n)] }],
  },
  '/api/e-recharge/items': { packs: [givenPointPack(100n), givenPointPack(500n)] },
  '/api/recharge/rebate/info': { campaigns: [] },
  '/api/e-recharge/rebate/info': { campaigns: [] },
  '/api/coupon/list': { coupons: [] },
  '/api/payment/methods': { methods: ['card', 'epoint'], methodsOut: [] },
  '/api/epoint/overage': givenBalance(),
  '/api/bulletin/top': { bulletins: [] },
  '/api/bulletin/list': { bulletins: [], nextAfter: null },
  '/api/game/info/content/game-features': refused('PageMissing'),
  '/api/game/info/content/game-info': refused('PageMissing'),
  '/api/user/real/info/query': {
    fullName: null,
    address: null,
    phone: null,
    email: null,
    birthday: null,
    identityNumber: null,
    approvalDate: null,
    approvalRegion: null,
  },
  '/api/user/budget/query': { currency: 'USD', amountMinor: null, spentMinor: '0', pending: null },
  '/api/user/passkey/list': { passkeys: [] },
  '/api/user/session/list': { sessions: [] },
  '/api/user/security': {
    hasPassword: true,
    canHavePassword: true,
    email: { masked: 'a***@example.com', canBeRemoved: true },
    phone: null,
    recoveryCodes: null,
  },
};

/** Replaces fetch and returns the list of calls, which grows with each call. */
export function givenShop(other: Record<string, Answer> = {}): Call[] {
  const calls: Call[] = [];
  const shop = { ...answers, ...other };
  vi.stubGlobal('fetch', async (path: string, init: RequestInit = {}) => {
    const body: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : null;
    const headers = Object.fromEntries(new Headers(init.headers));
    const call = { path, body, headers };
    calls.push(call);
    const answer = shop[path];
    if (answer === undefined) throw new TypeError(`The test server has no response for ${path}`);
    const reply = typeof answer === 'function' ? await answer(call) : answer;
    return reply instanceof Response ? reply.clone() : accepted(reply);
  });
  return calls;
}

function accepted(data: object): Response {
  const envelope = { isSuccess: true, data, msg: '', code: null, status: 200 };
  return Response.json(envelope);
}

export function refused(code: ErrorCode, status = 200, data: object | null = null): Response {
  const envelope = { isSuccess: false, data, msg: code, code, status };
  return Response.json(envelope, { status });
}

export function givenItem(quantity: bigint) {
  return {
    itemId: `shards_${quantity}`,
    name: `${quantity} Lumen Shards`,
    quantity: quantity.toString(),
    unit: 'Shards',
    gift: { quantity: (quantity / 10n).toString(), reason: 'bonus' },
    price: { amountMinor: '499', currency: 'USD' },
    pricePoints: '500',
    badge: null,
    tier: 'tide',
    art: 'shard1',
    ...terms,
  };
}

export function givenPointPack(quantity: bigint) {
  return {
    itemId: `points_${quantity}`,
    name: `${quantity} E Points`,
    quantity: quantity.toString(),
    giftQuantity: (quantity / 20n).toString(),
    giftReason: 'bonus',
    giftDays: 90,
    price: { amountMinor: '499', currency: 'USD' },
    badge: null,
    tier: 'dusk',
    art: 'coin1',
    ...terms,
  };
}

export function givenBalance(other: object = {}) {
  return { basicNum: 1000, presentNum: 240, frozenNum: 0, ledgerHead: 'ab12', ...other };
}

export const orderId = '00000000-0000-4000-8000-000000000001';

export function givenOrder(other: object = {}) {
  const createdAt = '2026-11-15T10:00:00.000Z';
  return {
    paymentId: orderId,
    kind: 'item',
    status: 'Created',
    record: 1,
    shown: 'Unpaid',
    closedReason: null,
    isDeliveryDelayed: false,
    isInReview: false,
    isDisputed: false,
    orderType: 'foreign',
    method: 'card',
    accountId: player.accountId,
    gameAccountId: 'g-1',
    gameId: 'solmere',
    gameName: 'Solmere',
    serverId: 's12',
    serverName: 'Dawnreach',
    roleId: 'r1',
    roleName: 'Aveline',
    itemId: 'shards_60',
    itemName: '60 Lumen Shards',
    itemArt: 'shard1',
    unit: 'Shards',
    quantity: '60',
    giftQuantity: '6',
    giftReason: 'bonus',
    couponName: null,
    discountMinor: null,
    priceBeforeMinor: null,
    amountMinor: '499',
    currency: 'USD',
    refundedMinor: '0',
    refunds: [],
    createdAt,
    expireAt: null,
    paidAt: null,
    arrivedAt: null,
    nextDeliveryAt: null,
    promisedAt: null,
    timeline: [{ step: 'created', at: createdAt }],
    ...other,
  };
}

/** An order for E Points: it belongs to the account and has no game. */
export function givenPointsOrder(other: object = {}) {
  return givenOrder({
    kind: 'points',
    gameAccountId: null,
    gameId: null,
    gameName: null,
    serverId: null,
    serverName: null,
    roleId: null,
    roleName: null,
    itemId: 'points_500',
    itemName: '500 E Points',
    itemArt: 'coin2',
    unit: 'E Point',
    quantity: '500',
    giftQuantity: '25',
    ...other,
  });
}

export const siteConfig: SiteConfig = {
  domainType: 0,
  siteTitle: 'Omni',
  version: 'build-7',
  isRehearsal: false,
  theme: { accent: null, accentStrong: null, hero: null, logo: null },
  locales: [...locales],
  currency: 'USD',
  currencies: ['USD'],
  countries: [],
  timeZone: 'UTC',
  methods: ['card', 'epoint'],
  methodsOut: [],
  loginMethods: [...loginMethods],
  policies: { privacyUrl: null, agreementUrl: null },
  gameInfo: {
    cgi: '',
    gameId: 'solmere',
    playUrls: { ios: null, android: null, desktop: null },
    customConfig: {
      loggerUrl: null,
      loggerKey: null,
      brandId: 'omni',
      wechatAppId: null,
      hasWechatScan: true,
    },
  },
};

/** Renders the portal at an address, as a browser would. */
export async function open(address: string, config = siteConfig, beside: ReactNode = null) {
  window.history.replaceState(null, '', address);
  receiveArrival(currentEnvironment());
  identifyCaller({ hversion: config.version, gameId: config.gameInfo.gameId ?? '' });
  if (!i18next.isInitialized) await startI18n(config.locales);
  return render(
    <SiteConfigProvider value={config}>
      <QueryClientProvider client={createQueryClient()}>
        <BrowserRouter>
          <AppRoutes />
          {beside}
        </BrowserRouter>
      </QueryClientProvider>
    </SiteConfigProvider>,
  );
}

export function expectAddress(address: string): void {
  const { pathname, search } = window.location;
  expect(pathname + search).toBe(address);
}

export function callsOf(calls: Call[], path: string): Call[] {
  return calls.filter((call) => call.path === path);
}
