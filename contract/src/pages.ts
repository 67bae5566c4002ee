// All pages of the portal. Routes, links, menus, document titles, page names in analytics, early key
// art, preloaded files and the addresses that the server sends to players follow from this table.
// docs/how-to/add-a-page.md says how to add one.

type Path = `/${string}`;

interface Page {
  /** `:name` is a parameter, in the path or in the query. */
  path: Path;
  /** Paths that redirect to the page. */
  aliases?: readonly Path[];
  /** Whether visitors are redirected to sign-in first. */
  access: 'public' | 'player';
  /** The text key of the document title; a page without one sets its title itself. */
  title?: `titles.${string}`;
  /** The sections of texts that the page needs besides `shell`. */
  words: readonly string[];
  /** The text key of its link in the main menu. A menu has the order of this table. */
  mainMenu?: string;
  /** The text key of its link in the account menu, which is also on the account pages. */
  accountMenu?: string;
  /**
   * The CSS classes of the key art that is shown before the portal has loaded. `game` if the page
   * shows the key art of a game, whose name is not known so early.
   */
  keyArt?: 'login' | 'hero tall' | 'hero short' | 'order-page' | 'game';
  /** Modules below portal/src to fetch together with the entry, for pages where visits begin. */
  preload?: readonly string[];
  /** Whether providers and mails of the server link to the page. */
  isLinkedByServer?: true;
  /** The funnel step of analytics events from the page. */
  funnelStep?: 'top_up';
}

/** A site with one game, or a platform. */
export type SiteKind = 'game' | 'platform';

export function siteKindOf(domainType: 0 | 1): SiteKind {
  return domainType === 0 ? 'game' : 'platform';
}

/** The pages of the other kind of site are forbidden. */
export const siteRoots = { game: '/main', platform: '/dream' } as const;

type PageBelow<Kind extends SiteKind> = Page & { path: `${(typeof siteRoots)[Kind]}/${string}` };

/** The home page of either kind of site. */
export const homePath = siteRoots.game;

/** The list of games of a platform, which is its home page. */
export const gameListPath = '/dream/recharge';

const roots = ['/', homePath] as const;

/** The pages of every site, of a single-game site, and of a platform, which has many games. */
export const pages = {
  common: {
    login: {
      path: '/login',
      access: 'public',
      title: 'titles.login',
      words: [],
      keyArt: 'login',
      preload: ['features/login/login-page.tsx', 'entities/credentials/sign-in-form.tsx'],
    },
    passwordReset: {
      path: '/login/reset',
      access: 'public',
      title: 'titles.reset',
      words: ['account'],
      keyArt: 'login',
    },
    // The page of a security notice. Its token is in the fragment, which browsers do not send.
    secureAccount: {
      path: '/login/secure',
      access: 'public',
      title: 'titles.secure',
      words: ['account'],
      keyArt: 'login',
      isLinkedByServer: true,
    },
    // The page to which Google and Facebook redirect players.
    signInReturn: {
      path: '/login/return',
      access: 'public',
      title: 'titles.login',
      words: [],
      keyArt: 'login',
      isLinkedByServer: true,
    },
    content: { path: '/page/:id', access: 'public', words: [] },
    forbidden: { path: '/403', access: 'public', title: 'titles.forbidden', words: [] },
  },
  game: {
    home: {
      path: '/main/home',
      aliases: roots,
      access: 'player',
      title: 'titles.home',
      words: [],
      mainMenu: 'nav.home',
      keyArt: 'hero tall',
      preload: ['app/routes/home-route.tsx'],
    },
    topUp: {
      path: '/main/recharge',
      access: 'player',
      title: 'titles.recharge',
      words: [],
      mainMenu: 'nav.recharge',
      keyArt: 'hero short',
      preload: ['app/routes/recharge-route.tsx'],
      funnelStep: 'top_up',
    },
    order: {
      path: '/main/recharge/detail/:paymentId',
      access: 'player',
      title: 'titles.order',
      words: ['orders'],
      keyArt: 'order-page',
      preload: ['app/routes/order-route.tsx'],
      isLinkedByServer: true,
    },
    receipt: {
      path: '/main/recharge/receipt/:paymentId',
      access: 'player',
      title: 'titles.receipt',
      words: ['orders'],
    },
    news: {
      path: '/main/event',
      access: 'player',
      title: 'titles.news',
      words: [],
      mainMenu: 'nav.news',
    },
    bulletin: {
      path: '/main/event/detail/:id',
      access: 'player',
      title: 'titles.bulletin',
      words: [],
    },
    account: {
      path: '/main/account/user',
      aliases: ['/main/account'],
      access: 'player',
      title: 'titles.account',
      words: ['orders', 'account'],
      accountMenu: 'nav.accountInfo',
    },
    orders: {
      path: '/main/account/recharge',
      access: 'player',
      title: 'titles.rechargeRecord',
      words: ['orders', 'account'],
      accountMenu: 'titles.rechargeRecord',
    },
    pointsRecord: {
      path: '/main/account/epoint',
      access: 'player',
      title: 'titles.epointRecord',
      words: ['account'],
      accountMenu: 'titles.epointRecord',
    },
  },
  platform: {
    home: {
      path: '/dream/home',
      aliases: [...roots, siteRoots.platform, gameListPath],
      access: 'player',
      title: 'titles.home',
      words: [],
      mainMenu: 'nav.home',
      keyArt: 'hero short',
      preload: ['app/routes/platform-home-route.tsx'],
    },
    topUp: {
      path: '/dream/recharge/:gameId',
      access: 'player',
      title: 'titles.recharge',
      words: [],
      mainMenu: 'nav.recharge',
      keyArt: 'game',
      preload: ['app/routes/game-recharge-route.tsx'],
      funnelStep: 'top_up',
    },
    pointsTopUp: {
      path: '/dream/epoint',
      access: 'player',
      title: 'titles.recharge',
      words: [],
      funnelStep: 'top_up',
    },
    order: {
      path: '/dream/order/detail?paymentId=:paymentId',
      access: 'player',
      title: 'titles.order',
      words: ['orders'],
      isLinkedByServer: true,
    },
    receipt: {
      path: '/dream/order/receipt?paymentId=:paymentId',
      access: 'player',
      title: 'titles.receipt',
      words: ['orders'],
    },
    news: {
      path: '/dream/event',
      access: 'player',
      title: 'titles.news',
      words: [],
      mainMenu: 'nav.news',
    },
    bulletin: {
      path: '/dream/event/detail/:id',
      access: 'player',
      title: 'titles.bulletin',
      words: [],
    },
    account: {
      path: '/dream/account/user',
      aliases: ['/dream/account'],
      access: 'player',
      title: 'titles.account',
      words: ['orders', 'account'],
      accountMenu: 'nav.accountInfo',
    },
    orders: {
      path: '/dream/order',
      access: 'player',
      title: 'titles.rechargeRecord',
      words: ['orders', 'account'],
      mainMenu: 'nav.orders',
      accountMenu: 'titles.rechargeRecord',
    },
    pointsRecord: {
      path: '/dream/account/epoint',
      access: 'player',
      title: 'titles.epointRecord',
      words: ['account'],
      accountMenu: 'titles.epointRecord',
    },
  },
} as const satisfies {
  common: Record<string, Page>;
  game: Record<string, PageBelow<'game'>>;
  platform: Record<string, PageBelow<'platform'>>;
};

type RowsOf<Group> = Group[keyof Group];
export type PageRow =
  | RowsOf<(typeof pages)['common']>
  | RowsOf<(typeof pages)['game']>
  | RowsOf<(typeof pages)['platform']>;

/** The pages of a kind of site. */
export function pagesOf(kind: SiteKind): PageRow[] {
  return [...Object.values<PageRow>(pages[kind]), ...Object.values(pages.common)];
}

/** The rows of all pages. */
export const allPages: readonly PageRow[] = Object.values(pages).flatMap((group) =>
  Object.values<PageRow>(group),
);

/** The paths that redirect to a page. */
export function aliasesOf(row: Page): readonly Path[] {
  return row.aliases ?? [];
}

type ParameterOf<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParameterOf<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;
type ValuesOf<Path extends string> = Record<ParameterOf<Path>, string>;

/** The path of a page, with values for its parameters. */
export function fillPath<Path extends string>(path: Path, values: ValuesOf<Path>): string {
  const known: Record<string, string> = values;
  return path.replace(/:(\w+)/g, (_, name: string) => known[name] ?? '');
}

/** The source of a regular expression for pathnames of pages. */
export function patternOf(...paths: readonly Path[]): string {
  const patterns = paths.map((path) => path.replace(/\?.*/, '').replaceAll(/:\w+/g, '[^/]+'));
  return `^(${patterns.join('|')})/?$`;
}

/** Whether a pathname is that of a page. */
export function isPathOf(path: Path, pathname: string): boolean {
  return new RegExp(patternOf(path)).test(pathname);
}

type ServerRow = Extract<PageRow, { isLinkedByServer: true }>;

/** The address of a page for providers and mails, on the site with this portal URL. */
export function linkToPage<Path extends ServerRow['path']>(
  portalUrl: string,
  path: Path,
  values: ValuesOf<Path>,
): URL {
  return new URL(fillPath(path, values), portalUrl);
}
