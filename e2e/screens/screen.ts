import { expect, type Page } from '@playwright/test';
import type { ErrorCode } from '../../contract/src/errors.ts';
import type { Shop } from '../shop.ts';

/** The viewer: a signed-out guest, a player with orders (aveline), or one without (kaito). */
export type Viewer = 'guest' | 'aveline' | 'kaito';

export const widths = { narrow: 390, wide: 1440 };
export type Width = keyof typeof widths;

/** The site of one game, or the game hub, which sells for all games. */
export type Site = 'game' | 'hub';

/** One page of the shop in one state. The gallery and the walk use the same list. */
export interface Screen {
  /** The page, by which the gallery groups its screens. */
  page: string;
  /** The description of the state. */
  state: string;
  viewer: Viewer;
  site: Site;
  /** Brings an English window to this state; resolves when the state is visible. */
  arrange: (testPage: TestPage) => Promise<void>;
  /** Set for a screen that exists in one layout only. */
  only?: Width;
  /** Needs its own browser context, because it would affect other screens. */
  isAlone?: boolean;
  /** The user agent, if the screen depends on it. */
  userAgent?: string;
}

/** Payment ids by the state of their order. */
export type OrdersByState = Record<
  'unpaid' | 'late' | 'processing' | 'fulfilled' | 'points' | 'limited' | 'refunded' | 'paid',
  string
>;

/** A window, its shop, and a network whose requests can be delayed, failed or changed. */
export interface TestPage {
  page: Page;
  shop: Shop;
  /** A URL of the site that the screen belongs to. */
  address: (path: string) => string;
  /** Holds these requests forever, as a slow network would. */
  hold: (address: RegExp) => Promise<void>;
  /** Aborts these requests, as a broken connection would. */
  cut: (address: RegExp) => Promise<void>;
  /** Answers these requests with this error code. */
  refuse: (address: RegExp, code: ErrorCode, data?: object) => Promise<void>;
  /** Changes the answers to these requests. */
  modifyReplies: (address: RegExp, change: (data: object) => object) => Promise<void>;
  /** Resolves when all requests have ended and the page is rendered. */
  untilIdle: () => Promise<void>;
  /** The orders of the first player, one in every state. */
  orders: () => Promise<OrdersByState>;
}

/** The screens of one page by state, with a default viewer. */
export function screensOf(
  page: string,
  viewer: Viewer,
  states: Record<
    string,
    Screen['arrange'] | (Pick<Screen, 'arrange'> & Partial<Omit<Screen, 'page' | 'state'>>)
  >,
): Screen[] {
  return Object.entries(states).map(([state, how]) => ({
    page,
    state,
    viewer,
    site: 'game',
    ...(typeof how === 'function' ? { arrange: how } : how),
  }));
}

/** Splits screens into one for each layout, for states that a change of layout would end. */
export function onEach(screens: readonly Screen[]): Screen[] {
  return screens.flatMap((screen) =>
    (['narrow', 'wide'] as const).map((only) => ({
      ...screen,
      state: `${screen.state}, ${only}`,
      only,
    })),
  );
}

/** Opens a page of the shop and waits until it is loaded. */
export async function open({ page, address, untilIdle }: TestPage, path: string): Promise<void> {
  await page.goto(address(path));
  // The network is also idle before the portal's script starts, so its content is awaited first.
  await expect(page.locator('#main').first()).toBeVisible();
  await untilIdle();
  // The error page would pass as a loaded page.
  await expect(page.getByText('load error, please refresh')).toBeHidden();
}

/** Waits for a text that shows that the page has reached its state. */
export async function waitForText(
  { page, untilIdle }: TestPage,
  text: string | RegExp,
): Promise<void> {
  await expect(page.getByText(text).first()).toBeVisible();
  await untilIdle();
}

/** Answers these requests with this data, without the shop. */
export async function answer({ page }: TestPage, address: string, data: object): Promise<void> {
  const json = { isSuccess: true, code: null, msg: '', status: 200, data };
  await page.route(address, (route) => route.fulfill({ json }));
}
