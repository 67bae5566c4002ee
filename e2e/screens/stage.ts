import type { Browser, BrowserContext, Page, Request } from '@playwright/test';
import { locales } from '../../contract/src/locales.ts';
import { siteAddresses } from '../../tools/stack/demo-games.ts';
import type { Shop } from '../shop.ts';
import { inspectionScript, settle, speak } from './inspection.ts';
import { type Screen, type Site, type Stage, widths } from './screen.ts';

// What is told as a page is left, when nobody is there any more to hear an answer, and what tells of an
// order for as long as it is looked at.
const endless = /\/api\/(log\/collect|payment\/order\/changes\/)/;
const quietMaxMs = 20_000;

type Session = Awaited<ReturnType<BrowserContext['storageState']>>;

/** Sets screens up, one window each. Whoever is signed in stays so from one to the next. */
export interface Theatre {
  show: <T>(screen: Screen, look: (stage: Stage) => Promise<T>) => Promise<T>;
}

export async function openTheatre(browser: Browser, shop: Shop): Promise<Theatre> {
  const script = await inspectionScript();
  const made = new Map<string, Promise<unknown>>();
  const sessions = new Map<string, Promise<Session>>();
  const addressOn = (site: Site) => {
    const [game = ''] = siteAddresses(shop.portal('/').replace(/\/$/, ''));
    const platform = siteAddresses(game).find((url) => url.includes('//omni.'));
    return (path: string) => new URL(path, site === 'game' ? game : platform).href;
  };
  const windowOf = async (session?: Session) => {
    const context = await browser.newContext({
      locale: 'en-US',
      viewport: { width: widths.wide, height: 900 },
      reducedMotion: 'reduce',
      ...(session === undefined ? {} : { storageState: session }),
    });
    await context.addInitScript({ path: script });
    return context;
  };
  const signIn = async (viewer: string, site: Site) => {
    const context = await windowOf();
    const page = await context.newPage();
    const address = addressOn(site)(site === 'game' ? '/main/recharge' : '/dream/home');
    await page.goto(address);
    await shop.signIn(page, viewer);
    await page.waitForURL(address);
    if (viewer === 'aveline' && site === 'game') await shop.chooseCharacter(page);
    const session = await context.storageState();
    await context.close();
    return session;
  };
  const sessionOf = async ({ viewer, site }: Screen) => {
    if (viewer === 'guest') return undefined;
    const name = `${viewer} ${site}`;
    const session = sessions.get(name) ?? signIn(viewer, site);
    sessions.set(name, session);
    return await session;
  };
  const once = <T>(name: string, make: () => Promise<T>): Promise<T> => {
    const known = made.get(name) as Promise<T> | undefined;
    const promised = known ?? make();
    made.set(name, promised);
    return promised;
  };
  return {
    show: async (screen, look) => {
      const context = await windowOf(await sessionOf(screen));
      const address = addressOn(screen.site);
      const stage = setUp(await context.newPage(), { shop, once, address });
      try {
        await screen.arrange(stage);
        await stage.quiet();
        return await look(stage);
      } finally {
        await screen.tidyUp?.(stage);
        await context.close();
      }
    },
  };
}

function setUp(page: Page, given: Pick<Stage, 'shop' | 'once' | 'address'>): Stage {
  const held: RegExp[] = [];
  const waiting = new Set<Request>();
  const isHeld = (request: Request) => held.some((address) => address.test(request.url()));
  page.on('request', (request) => {
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) waiting.clear();
    if (!endless.test(request.url())) waiting.add(request);
  });
  page.on('requestfinished', (request) => waiting.delete(request));
  page.on('requestfailed', (request) => waiting.delete(request));
  const open = () => [...waiting].filter((request) => !isHeld(request));
  const quiet = async () => {
    const endsAt = Date.now() + quietMaxMs;
    // What has just arrived may ask for more as it is drawn.
    do {
      await settle(page);
      if (Date.now() > endsAt) throw new Error(`No end of ${open().map((one) => one.url())}`);
    } while (open().length > 0);
  };
  return {
    ...given,
    page,
    quiet,
    hold: async (address) => {
      held.push(address);
      await page.route(address, () => new Promise(() => {}));
    },
    cut: async (address) => {
      await page.route(address, (route) => route.abort());
    },
    learnAll: async () => {
      await page.goto(given.address('/403'));
      for (const locale of [...locales, 'en-US']) {
        await speak(page, locale);
        await quiet();
      }
    },
  };
}
