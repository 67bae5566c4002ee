import { test as base, expect, type Page } from '@playwright/test';
import { z } from 'zod';
import { type Stack, startStack } from '../tools/stack/start-stack.ts';

/** The whole shop with its world, and what a test may ask of them. */
export interface Shop {
  /** An address in the portal. */
  portal(path: string): string;
  signIn(page: Page): Promise<void>;
  /** Chooses the first player's character; the shop remembers it for the next time. */
  chooseCharacter(page: Page): Promise<void>;
  /** Chooses a pack and presses Pay; ends on the provider's page. */
  payFor(page: Page, pack: RegExp): Promise<void>;
  /** Pays on the provider's page; ends on the order's page. Answers the payment id. */
  approve(page: Page): Promise<string>;
  /** What the provider remembers of an order. */
  charges(paymentId: string): Promise<{ amount: number; currency: string }[]>;
  /** What the game remembers of an order. */
  grants(paymentId: string): Promise<{ sku: string; quantity: number }[]>;
  provider: { tell(path: string, body: object): Promise<void> };
  game: { tell(path: string, body: object): Promise<void> };
  killWorker(): Promise<void>;
  startWorker(): Promise<void>;
  /** The texts that were sent to a number, the newest first. */
  textsTo(phone: string): Promise<string[]>;
  addresses: Pick<Stack, 'databaseUrl' | 'sandbox'>;
}

const Players = z.array(z.object({ loginName: z.string(), password: z.string() })).min(1);
const Charges = z.object({
  charges: z.array(z.object({ amount: z.int(), currency: z.string() })),
});
const Texts = z.object({ messages: z.array(z.object({ text: z.string() })) });
const Grants = z.object({ grants: z.array(z.object({ sku: z.string(), quantity: z.int() })) });

export const test = base.extend<{ shop: Shop }, { stack: Stack }>({
  stack: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads here what a fixture needs.
    async ({}, use) => {
      const stack = await startStack({
        mode: 'demo',
        name: 'e2e',
        fresh: true,
        // A webhook that never comes is found by asking; after two seconds here, not thirty.
        serverEnv: { PAYMENT_CHECK_SECONDS: '2' },
      });
      await use(stack);
      await stack.stop();
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  shop: async ({ stack }, use) => {
    await use(shopOf(stack));
    await tell(stack.sandbox.stripe, '/__sandbox/reset', {});
    await tell(stack.sandbox.game, '/__sandbox/reset', {});
  },
});

function shopOf(stack: Stack): Shop {
  const { stripe, game } = stack.sandbox;
  const [player] = Players.parse(stack.players);
  const [worker] = stack.programs.worker;
  if (player === undefined || worker === undefined) throw new Error('half a shop');
  return {
    portal: (path) => new URL(path, stack.portal).href,
    signIn: async (page) => {
      await page.getByRole('textbox', { name: 'Account', exact: true }).fill(player.loginName);
      await page.getByLabel('Password', { exact: true }).fill(player.password);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    },
    chooseCharacter: async (page) => {
      await page.getByRole('button', { name: /Deliver to|Choose server and role/ }).click();
      const dialog = page.getByRole('dialog');
      const back = dialog.getByRole('button', { name: /Change server/ });
      const server = dialog.getByRole('button', { name: /Dawnreach/ });
      await expect(back.or(server).first()).toBeVisible();
      if (!(await back.isVisible())) await server.click();
      await dialog.getByRole('button', { name: /Aveline/ }).click();
      await expect(dialog).toBeHidden();
    },
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
    charges: async (paymentId) =>
      Charges.parse(await ask(stripe, `/__sandbox/charges?paymentId=${paymentId}`)).charges,
    grants: async (paymentId) =>
      Grants.parse(await ask(game, `/__sandbox/grants?paymentId=${paymentId}`)).grants,
    provider: { tell: (path, body) => tell(stripe, path, body) },
    game: { tell: (path, body) => tell(game, path, body) },
    textsTo: async (phone) => {
      const path = `/__sandbox/messages?to=${encodeURIComponent(phone)}`;
      return Texts.parse(await ask(stack.sandbox.sms, path)).messages.map(({ text }) => text);
    },
    killWorker: worker.kill,
    startWorker: worker.start,
    addresses: stack,
  };
}

/** The radio button itself is hidden; players press the card around it. */
export async function choosePack(page: Page, pack: RegExp): Promise<void> {
  const radio = page.getByRole('radio', { name: pack });
  await page.locator('label').filter({ has: radio }).click();
  await expect(radio).toBeChecked();
}

async function ask(url: string, path: string): Promise<unknown> {
  const response = await fetch(url + path);
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  return await response.json();
}

async function tell(url: string, path: string, body: object): Promise<void> {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
}
