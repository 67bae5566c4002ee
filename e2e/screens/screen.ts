import { expect, type Page } from '@playwright/test';
import type { ErrorCode } from '../../contract/src/errors.ts';
import type { Shop } from '../shop.ts';
import type { Orders } from './orders.ts';

/** Who looks: nobody yet, a player who has bought before, or one who never has. */
export type Viewer = 'guest' | 'aveline' | 'kaito';

export const widths = { narrow: 390, wide: 1440 };
export type Width = keyof typeof widths;

/** The shop of one game, or the platform that sells for all of them. */
export type Site = 'game' | 'platform';

/** One page of the shop in one state. The gallery and the walk go through the same list of them. */
export interface Screen {
  /** The page it belongs to, as the gallery groups them. */
  page: string;
  /** The state it is in, in words. */
  state: string;
  viewer: Viewer;
  site: Site;
  /** Brings a window there that shows the shop in English. Ends when the state is to be seen. */
  arrange: (stage: Stage) => Promise<void>;
  /** What exists in one layout only. */
  only?: Width;
  /** Has a browser of its own, because others would meet what it does to it. */
  isAlone?: boolean;
  /** What the browser says it is, where that matters. */
  userAgent?: string;
}

/** A window, the shop it looks at, and a network that does as it is told. */
export interface Stage {
  page: Page;
  shop: Shop;
  /** An address of the site that the screen belongs to. */
  address: (path: string) => string;
  /** Lets these requests wait for ever, as a slow network would. */
  hold: (address: RegExp) => Promise<void>;
  /** Lets these requests fail, as a line that was cut would. */
  cut: (address: RegExp) => Promise<void>;
  /** Lets these requests be refused with this code. */
  refuse: (address: RegExp, code: ErrorCode, data?: object) => Promise<void>;
  /** Lets the answers to these requests say something else. */
  retell: (address: RegExp, change: (data: object) => object) => Promise<void>;
  /** Resolves when the page has what it asked for and has drawn it. */
  quiet: () => Promise<void>;
  /** The first player's, in every state that there is. */
  orders: () => Promise<Orders>;
}

/** The states of one page, seen by the same viewer where a state does not say otherwise. */
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

/** Each of them once for either layout, for what does not outlive a change from one to the other. */
export function onEach(screens: readonly Screen[]): Screen[] {
  return screens.flatMap((screen) =>
    (['narrow', 'wide'] as const).map((only) => ({
      ...screen,
      state: `${screen.state}, ${only}`,
      only,
    })),
  );
}

/** Opens a page of the shop, with all that it asks for. */
export async function open({ page, address, quiet }: Stage, path: string): Promise<void> {
  await page.goto(address(path));
  // The portal's own code begins after the first picture. Before it has, all is quiet as well.
  await expect(page.locator('#main').first()).toBeVisible();
  await quiet();
  // This page looks well, and is not the one that was asked for.
  await expect(page.getByText('load error, please refresh')).toBeHidden();
}

/** Waits for words that say that the page is where it should be. */
export async function says({ page, quiet }: Stage, text: string | RegExp): Promise<void> {
  await expect(page.getByText(text).first()).toBeVisible();
  await quiet();
}

/** Lets requests be answered with this, without the shop. */
export async function answer({ page }: Stage, address: string, data: object): Promise<void> {
  const json = { isSuccess: true, code: null, msg: '', status: 200, data };
  await page.route(address, (route) => route.fulfill({ json }));
}
