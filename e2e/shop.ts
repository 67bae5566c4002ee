import { createHmac } from 'node:crypto';
import { expect, type Locator, type Page } from '@playwright/test';
import { z } from 'zod';
import { paymentProviders } from '../tools/stack/payment-providers.ts';
import { type Stack, startStack } from '../tools/stack/start-stack.ts';
import { offerMethods, simulateNextDay } from '../tools/stack/test-state.ts';
import { test as base } from './browser.ts';
import { type LeakDetector, openLeakDetector } from './leak-detector.ts';

/** The running shop with its sandbox, and helpers for tests. */
export interface Shop {
  /** A URL in the portal. */
  portal(path: string): string;
  /** Signs in as the given player, by default the first player of the demo. */
  signIn(page: Page, loginName?: string): Promise<void>;
  /** Chooses the first player's character; the shop remembers it for the next time. */
  chooseCharacter(page: Page): Promise<void>;
  /** Chooses a pack and presses Pay; ends on the provider's page. */
  payFor(page: Page, pack: RegExp): Promise<void>;
  /** Pays on the provider's page; ends on the order's page. Answers the payment id. */
  approve(page: Page): Promise<string>;
  /** The charges of an order at all payment providers. */
  charges(paymentId: string): Promise<{ amount: number; currency: string }[]>;
  /** The grants of an order in the game. */
  grants(paymentId: string): Promise<{ sku: string; quantity: number }[]>;
  provider: { tell(path: string, body: object): Promise<void> };
  game: { tell(path: string, body: object): Promise<void>; ask(path: string): Promise<unknown> };
  killWorker(): Promise<void>;
  startWorker(): Promise<void>;
  /** The SMS to a phone number, newest first. */
  textsTo(phone: string): Promise<string[]>;
  /** The mails to an address, newest first. */
  mailsTo(address: string): Promise<string[]>;
  /** Only the mails with a one-time code; security notices have a link. */
  codeMailsTo(address: string): Promise<string[]>;
  /** The sandbox of the sign-in providers. */
  identity: {
    tell(path: string, body: object): Promise<void>;
    /** The WeChat open id of a person in the shop's official account. */
    openIdOf(person: string): Promise<string | undefined>;
  };
  /**
   * An arrival ticket, issued to the game's back end; an arrival token, signed by the game's SDK.
   */
  ticketOf(gameAccountId: string): Promise<string>;
  tokenOf(gameAccountId: string, seconds?: number): Promise<string>;
  /** Resets the rate limits and expires arrival tickets, as if a day had passed. */
  passDay(): Promise<void>;
  /** Runs `work` while the site offers only these sign-in methods. */
  whileOffering(methods: readonly string[], work: () => Promise<void>): Promise<void>;
  addresses: Pick<Stack, 'databaseUrl' | 'sandbox'>;
}

const Players = z.array(z.object({ loginName: z.string(), password: z.string() })).min(1);
const Charges = z.object({
  charges: z.array(z.object({ amount: z.int(), currency: z.string() })),
});
const Messages = z.object({ messages: z.array(z.object({ text: z.string() })) });
const People = z.object({
  people: z.array(z.object({ id: z.string(), openIds: z.record(z.string(), z.string()) })),
});
const Issued = z.object({ result: z.literal('ok'), ticket: z.string() });
const Token = z.object({ token: z.string() });
const Config = z.object({
  loginMethods: z.array(z.string()),
  gameInfo: z.object({ customConfig: z.object({ wechatAppId: z.string() }) }),
});
const GameSecrets = z.object({ solmere: z.tuple([z.string()], z.string()) });
const Grants = z.object({ grants: z.array(z.object({ sku: z.string(), quantity: z.int() })) });

// Without a graphics card, blur and shadows take a quarter of the time of a test. These tests do
// not check the appearance of pages; the walk and the gallery render them fully.
const drawPlainly = `
  const plain = new CSSStyleSheet();
  plain.replaceSync(\`*, ::before, ::after {
    backdrop-filter: none !important; filter: none !important; box-shadow: none !important;
  }\`);
  document.adoptedStyleSheets = [plain];`;

export const test = base.extend<{ shop: Shop }, { stack: Stack; leakDetector: LeakDetector }>({
  stack: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads here what a fixture needs.
    async ({}, use, { project }) => {
      const stack = await startStack({
        mode: 'demo',
        name: `e2e-${project.name}`,
        fresh: true,
        durable: false,
        // Queries the provider for a missing webhook after two seconds instead of thirty. Proxies
        // are trusted, so that a test can choose the IP address by which limits are counted. The
        // order limits are raised, because a few players buy in all tests.
        serverEnv: {
          PAYMENT_CHECK_SECONDS: '2',
          TRUST_PROXY: '1',
          UNPAID_ORDERS_MAX: '1000',
          PAYMENT_CALLS_MAX: '1000',
          GAME_CALLS_MAX: '1000',
        },
      });
      await use(stack);
      await stack.stop();
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  // Automatic: watches the requests of every test.
  leakDetector: [
    async ({ stack, browser }, use, { workerIndex }) => {
      const leakDetector = await openLeakDetector({ stack, browser, worker: workerIndex });
      await use(leakDetector);
      await leakDetector.report();
      leakDetector.close();
    },
    { scope: 'worker', auto: true },
  ],
  context: async ({ context }, use) => {
    await context.addInitScript({ content: drawPlainly });
    await use(context);
  },
  shop: async ({ stack }, use) => {
    await use(shopOf(stack));
    for (const name of [...paymentProviders, 'game', 'identity'] as const) {
      await tell(stack.sandbox[name], '/__sandbox/reset', {});
    }
  },
});

export function shopOf(stack: Stack): Shop {
  const { stripe, game, identity } = stack.sandbox;
  const players = Players.parse(stack.players);
  const [worker] = stack.programs.worker;
  if (worker === undefined) throw new Error('The stack has no worker.');
  const mailsTo = async (address: string) => {
    const path = `/__sandbox/messages?to=${encodeURIComponent(address)}`;
    return Messages.parse(await ask(stack.sandbox.mail, path)).messages.map(({ text }) => text);
  };
  return {
    portal: (path) => new URL(path, stack.portal).href,
    signIn: async (page, loginName = 'aveline') => {
      const player = players.find((known) => known.loginName === loginName);
      if (player === undefined) throw new Error(`The demo has no player ${loginName}.`);
      await page.getByRole('textbox', { name: 'Account', exact: true }).fill(player.loginName);
      await page.getByLabel('Password', { exact: true }).fill(player.password);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    },
    chooseCharacter: (page) => chooseCharacter(page, { server: /Dawnreach/, role: /Aveline/ }),
    payFor: async (page, pack) => {
      await choosePack(page, pack);
      await page.getByRole('button', { name: /^Pay/ }).click();
      await page.waitForURL(`${stripe}/**`);
    },
    approve: async (page) => {
      await page.getByRole('button', { name: /^Pay \$/ }).click();
      await page.waitForURL(/\/main\/recharge\/detail\//);
      return z.uuid().parse(new URL(page.url()).pathname.split('/').pop());
    },
    charges: async (paymentId) => {
      const path = `/__sandbox/charges?paymentId=${paymentId}`;
      const found = paymentProviders.map(async (name) => ask(stack.sandbox[name], path));
      return (await Promise.all(found)).flatMap((each) => Charges.parse(each).charges);
    },
    grants: async (paymentId) =>
      Grants.parse(await ask(game, `/__sandbox/grants?paymentId=${paymentId}`)).grants,
    provider: { tell: (path, body) => tell(stripe, path, body) },
    game: { tell: (path, body) => tell(game, path, body), ask: (path) => ask(game, path) },
    textsTo: async (phone) => {
      const path = `/__sandbox/messages?to=${encodeURIComponent(phone)}`;
      return Messages.parse(await ask(stack.sandbox.sms, path)).messages.map(({ text }) => text);
    },
    mailsTo,
    codeMailsTo: async (address) =>
      (await mailsTo(address)).filter((text) => !text.includes('/login/secure#')),
    identity: {
      tell: (path, body) => tell(identity, path, body),
      openIdOf: async (person) => {
        const { gameInfo } = Config.parse(await ask(stack.portal, '/config.json'));
        const { people } = People.parse(await ask(identity, '/__sandbox/people'));
        return people.find(({ id }) => id === person)?.openIds[gameInfo.customConfig.wechatAppId];
      },
    },
    ticketOf: (gameAccountId) => ticketOf(stack, gameAccountId),
    tokenOf: async (gameAccountId, seconds = 60) => {
      const player = { gameId: 'solmere', gameAccountId, seconds };
      return Token.parse(await send(game, '/__sandbox/tokens', JSON.stringify(player))).token;
    },
    passDay: () => simulateNextDay(stack.databaseUrl),
    whileOffering: (methods, work) => whileOffering(stack, methods, work),
    killWorker: worker.kill,
    startWorker: worker.start,
    addresses: stack,
  };
}

/** The button on the top-up page that shows the chosen role or asks for one. */
export function characterOpener(page: Page): Locator {
  return page.getByRole('button', { name: /Deliver to|Choose server and role/ });
}

/** Opens the dialog and chooses a server and a role. */
export async function chooseCharacter(
  page: Page,
  { server: named, role }: { server: RegExp; role: RegExp },
): Promise<void> {
  await characterOpener(page).click();
  const dialog = page.getByRole('dialog');
  const back = dialog.getByRole('button', { name: /Change server/ });
  const server = dialog.getByRole('button', { name: named });
  await expect(back.or(server).first()).toBeVisible();
  if (!(await back.isVisible())) await server.click();
  await dialog.getByRole('button', { name: role }).click();
  await expect(dialog).toBeHidden();
}

/** The radio button is visually hidden; players click the card around it. */
export async function choosePack(page: Page, pack: RegExp): Promise<void> {
  const radio = page.getByRole('radio', { name: pack });
  await page.locator('label').filter({ has: radio }).click();
  await expect(radio).toBeChecked();
}

/** Requests an arrival ticket, as a game's back end does before it opens the shop. */
async function ticketOf(stack: Stack, gameAccountId: string): Promise<string> {
  const [secret] = GameSecrets.parse(JSON.parse(stack.serverEnv.GAME_SECRETS ?? '')).solmere;
  const body = JSON.stringify({ gameId: 'solmere', gameAccountId });
  const seconds = Math.floor(Date.now() / 1000);
  const signature = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
  const headers = { 'pointgate-signature': `t=${seconds},v1=${signature}` };
  return Issued.parse(await send(stack.portal, '/api/game/ticket/issue', body, headers)).ticket;
}

async function whileOffering(
  stack: Stack,
  methods: readonly string[],
  work: () => Promise<void>,
): Promise<void> {
  const offered = async () =>
    Config.parse(await ask(stack.portal, '/config.json')).loginMethods.toSorted();
  const offer = async (wanted: readonly string[]) => {
    await offerMethods(stack.databaseUrl, wanted);
    await expect.poll(offered).toEqual(wanted.toSorted());
  };
  const before = await offered();
  await offer(methods);
  try {
    await work();
  } finally {
    await offer(before);
  }
}

async function ask(url: string, path: string): Promise<unknown> {
  const response = await fetch(url + path);
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  return await response.json();
}

async function tell(url: string, path: string, body: object): Promise<void> {
  await send(url, path, JSON.stringify(body));
}

async function send(
  url: string,
  path: string,
  body: string,
  headers: Record<string, string> = {},
): Promise<unknown> {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  return await response.json();
}
