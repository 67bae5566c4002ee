import type { pages } from '@pointgate/contract/pages.ts';
import type { ComponentType } from 'react';
import { ForbiddenPage } from '../shared/ui/message-pages.tsx';

export type PageCode = () => Promise<ComponentType>;

type Pages = typeof pages;

const order = async () => (await import('./routes/order-route.tsx')).OrderRoute;
const receipt = async () => (await import('./routes/receipt-route.tsx')).ReceiptRoute;
const news = async () => (await import('./routes/news-route.tsx')).NewsRoute;
const bulletin = async () => (await import('./routes/bulletin-route.tsx')).BulletinRoute;
const account = async () => (await import('./routes/account-route.tsx')).AccountRoute;
const pointsRecord = async () =>
  (await import('./routes/points-record-route.tsx')).PointsRecordRoute;

/** The component of each page, which is loaded on demand. */
export const pageCode: { [Group in keyof Pages]: Record<keyof Pages[Group], PageCode> } = {
  common: {
    login: async () => (await import('../features/login/login-page.tsx')).LoginPage,
    passwordReset: async () => (await import('../features/login/reset-page.tsx')).ResetPage,
    secureAccount: async () => (await import('../features/login/secure-page.tsx')).SecurePage,
    signInReturn: async () => (await import('../features/login/return-page.tsx')).ReturnPage,
    content: async () => (await import('./routes/content-route.tsx')).ContentRoute,
    forbidden: async () => ForbiddenPage,
  },
  game: {
    home: async () => (await import('./routes/home-route.tsx')).HomeRoute,
    topUp: async () => (await import('./routes/recharge-route.tsx')).RechargeRoute,
    orders: async () => (await import('./routes/orders-route.tsx')).OrdersRoute,
    order,
    receipt,
    news,
    bulletin,
    account,
    pointsRecord,
  },
  platform: {
    home: async () => (await import('./routes/platform-home-route.tsx')).PlatformHomeRoute,
    topUp: async () => (await import('./routes/game-recharge-route.tsx')).GameRechargeRoute,
    pointsTopUp: async () => (await import('./routes/points-route.tsx')).PointsRoute,
    orders: async () => (await import('./routes/platform-orders-route.tsx')).PlatformOrdersRoute,
    order,
    receipt,
    news,
    bulletin,
    account,
    pointsRecord,
  },
};
