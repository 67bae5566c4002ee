import type { Browser, BrowserContext } from '@playwright/test';
import { siteAddresses } from '../../tools/stack/demo-games.ts';
import type { Shop } from '../shop.ts';
import { inspectionScript, patienceMs } from './inspection.ts';
import { makeOrders } from './orders.ts';
import { controlNetwork } from './page-network.ts';
import { type OrdersByState, type Screen, type Site, type TestPage, widths } from './screen.ts';

type Session = Awaited<ReturnType<BrowserContext['storageState']>>;

/** Sets screens up. Whoever is signed in stays so from one to the next. */
export interface BrowserPool {
  /**
   * Looks at all of these, two at a time and no more, whoever else asks meanwhile. Answers every complaint,
   * and what could not be set up.
   */
  visitAll: (screens: readonly Screen[], look: Inspect) => Promise<string[]>;
}

type Inspect = (screen: Screen, testPage: TestPage) => Promise<string[]>;

// One for each core of the smallest machine we build on.
const slotNames = ['left', 'right'];

/** Gives each work one of the slots to itself, in the order in which they were asked for. */
function openSlots() {
  const free = [...slotNames];
  const waiting: ((slot: string) => void)[] = [];
  const give = (slot: string) => {
    const next = waiting.shift();
    if (next === undefined) free.push(slot);
    else next(slot);
  };
  return {
    use: async <T>(work: (slot: string) => Promise<T>): Promise<T> => {
      const slot = free.shift() ?? (await new Promise<string>((resolve) => waiting.push(resolve)));
      try {
        return await work(slot);
      } finally {
        give(slot);
      }
    },
  };
}

export async function openBrowserPool(browser: Browser, shop: Shop): Promise<BrowserPool> {
  const slots = openSlots();
  const windows = openWindows(browser, shop, await inspectionScript());
  let orders: Promise<OrdersByState> | undefined;
  const openTestPage = async (context: BrowserContext, site: Site): Promise<TestPage> =>
    controlNetwork(await context.newPage(), {
      shop,
      address: addressOn(shop, site),
      orders: ordersOf,
    });
  // A game that fails fails everybody: nothing is bought any more once these are made.
  const ordersOf = () => {
    orders ??= windows.forOne({ viewer: 'aveline', site: 'game' }, async (context) =>
      makeOrders(await openTestPage(context, 'game')),
    );
    return orders;
  };
  const show = async (screen: Screen, context: BrowserContext, look: Inspect) => {
    const testPage = await openTestPage(context, screen.site);
    const width = widths[screen.only ?? 'wide'];
    await testPage.page.setViewportSize({ width, height: 900 });
    try {
      await screen.arrange(testPage);
      await testPage.untilIdle();
      return await look(screen, testPage);
    } catch (error) {
      // Whoever broke three screens should hear of three.
      return [`${screen.page}, ${screen.state}: ${error}`];
    } finally {
      await testPage.page.unrouteAll({ behavior: 'ignoreErrors' });
      await testPage.page.close();
    }
  };
  return {
    visitAll: async (screens, look) => {
      const showOne = (screen: Screen) =>
        slots.use(async (slot) =>
          screen.isAlone
            ? await windows.forOne(screen, (context) => show(screen, context, look))
            : await show(screen, await windows.kept(screen, slot), look),
        );
      return (await Promise.all(screens.map(showOne))).flat();
    },
  };
}

// Whatever was spoken last in this browser: a screen is set up in English.
const beginInEnglish = `
  if (sessionStorage.getItem('begun') === null) {
    sessionStorage.setItem('begun', 'in English');
    localStorage.setItem('i18nextLng', 'en-US');
  }`;

type Place = Pick<Screen, 'viewer' | 'site' | 'userAgent'>;

/** Windows of those who look, signed in once. */
function openWindows(browser: Browser, shop: Shop, script: string) {
  const sessions = new Map<string, Promise<Session>>();
  const known = new Map<string, Promise<BrowserContext>>();
  const open = async (session: Session | undefined, userAgent: string | undefined) => {
    const context = await browser.newContext({
      locale: 'en-US',
      viewport: { width: widths.wide, height: 900 },
      reducedMotion: 'reduce',
      ...(session === undefined ? {} : { storageState: session }),
      ...(userAgent === undefined ? {} : { userAgent }),
    });
    // Without this a button that is not there is waited for until the whole test is given up.
    context.setDefaultTimeout(patienceMs);
    await context.addInitScript({ path: script });
    await context.addInitScript({ content: beginInEnglish });
    return context;
  };
  const signIn = async ({ viewer, site }: Place): Promise<Session> => {
    const context = await open(undefined, undefined);
    const page = await context.newPage();
    const address = addressOn(shop, site)(site === 'game' ? '/main/recharge' : '/dream/home');
    await page.goto(address);
    await shop.signIn(page, viewer);
    await page.waitForURL(address);
    if (viewer === 'aveline' && site === 'game') await shop.chooseCharacter(page);
    const session = await context.storageState();
    await context.close();
    return session;
  };
  // One sign-in for both slots: a second one on the same site would end the first.
  const sessionOf = (place: Place) => {
    const name = `${place.viewer} ${place.site}`;
    const session = sessions.get(name) ?? signIn(place);
    sessions.set(name, session);
    return session;
  };
  const openFor = async (place: Place) =>
    await open(place.viewer === 'guest' ? undefined : await sessionOf(place), place.userAgent);
  return {
    /** Stays open: what a browser keeps need not be asked for again. */
    kept: (place: Place, slot: string): Promise<BrowserContext> => {
      const name = `${slot} ${place.viewer} ${place.site} ${place.userAgent}`;
      const context = known.get(name) ?? openFor(place);
      known.set(name, context);
      return context;
    },
    forOne: async <T>(place: Place, work: (context: BrowserContext) => Promise<T>): Promise<T> => {
      const context = await openFor(place);
      try {
        return await work(context);
      } finally {
        await context.close();
      }
    },
  };
}

function addressOn(shop: Shop, site: Site): (path: string) => string {
  const game = shop.portal('/').replace(/\/$/, '');
  const hub = siteAddresses(game).find((url) => url.includes('//omni.'));
  return (path) => new URL(path, site === 'game' ? game : hub).href;
}
