import { createHash } from 'node:crypto';
import { expect, type Page, type Response } from '@playwright/test';
import { z } from 'zod';
import { test as shopTest } from './shop.ts';
import { wordsOf } from './words.ts';

/**
 * Answers a text of the portal in the language of the window, from the portal's translation files.
 */
export type Texts = (key: string, values?: Record<string, string>) => string;

/**
 * For sign-in tests. Each has its own IP address and starts after a day without failures, so that
 * the rate limits of one test do not throttle another.
 */
export const test = shopTest.extend<{ texts: Texts; newDay: undefined }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads here what a fixture needs.
  extraHTTPHeaders: async ({}, use, { testId }) => {
    const [first = 0, second = 0] = createHash('sha256').update(testId).digest();
    await use({ 'x-forwarded-for': `198.${first}.${second}.7` });
  },
  texts: async ({ locale }, use) => use(await textsOf(locale ?? 'en-US')),
  newDay: [
    async ({ shop }, use) => {
      await shop.passDay();
      await use(undefined);
    },
    { auto: true },
  ],
});

/** A player of the demo. */
export const aveline = {
  LOGIN_NAME_PASSWD_AUTH: 'aveline',
  EMAIL_PASSWORD_AUTH: 'aveline@example.com',
  MOBILE_PASSWORD_AUTH: '+12025550123',
  MOBILE_AUTH: '+12025550123',
  password: 'Dawn-58-reach',
};

export type TypedMethod = Exclude<keyof typeof aveline, 'password'>;

const fields = {
  LOGIN_NAME_PASSWD_AUTH: { tab: 'name', name: 'loginName', secret: 'password' },
  EMAIL_PASSWORD_AUTH: { tab: 'email', name: 'email', secret: 'password' },
  MOBILE_PASSWORD_AUTH: { tab: 'phone', name: 'phone', secret: 'password' },
  MOBILE_AUTH: { tab: 'phone', name: 'phone', secret: 'code' },
} as const;

/** Opens the form of a sign-in method on the login page. */
export async function chooseMethod(page: Page, texts: Texts, method: TypedMethod): Promise<void> {
  const { tab, secret } = fields[method];
  await page.getByRole('tab', { name: texts(`login.tab.${tab}`), exact: true }).click();
  const field = secretField(page, texts, method);
  // The phone tab has two forms, one for passwords and one for codes.
  const other = page.getByRole('button', {
    name: texts(secret === 'code' ? 'login.useCode' : 'login.usePassword'),
  });
  await expect(field.or(other).first()).toBeVisible();
  if (!(await field.isVisible())) await other.click();
  await expect(field).toBeVisible();
}

export function nameField(page: Page, texts: Texts, method: TypedMethod) {
  return page.getByRole('textbox', { name: texts(`login.${fields[method].name}`), exact: true });
}

export function secretField(page: Page, texts: Texts, method: TypedMethod) {
  return page.getByLabel(texts(`login.${fields[method].secret}`), { exact: true });
}

/**
 * Submits the sign-in form and answers the error code of the shop, or null. HumanProofNeeded is
 * skipped, because the portal then solves the challenge and repeats the call.
 */
export async function attempt(
  page: Page,
  texts: Texts,
  typed: { method: TypedMethod; name: string; secret: string },
): Promise<string | null> {
  await nameField(page, texts, typed.method).fill(typed.name);
  await secretField(page, texts, typed.method).fill(typed.secret);
  const answered = page.waitForResponse(async (response) => {
    if (new URL(response.url()).pathname !== '/api/user/login') return false;
    return (await replyCode(response)) !== 'HumanProofNeeded';
  });
  await page.getByRole('button', { name: texts('login.submit'), exact: true }).click();
  return await replyCode(await answered);
}

/** The error code, or null, of the call to `path` that `work` causes. */
export async function codeOf(
  page: Page,
  path: string,
  work: () => Promise<unknown>,
): Promise<string | null> {
  const answered = page.waitForResponse((response) => new URL(response.url()).pathname === path);
  await work();
  return await replyCode(await answered);
}

const Reply = z.object({ code: z.string().nullable() });

async function replyCode(response: Response): Promise<string | null> {
  return Reply.parse(await response.json()).code;
}

/** Checks that the page shows the failure with the translated message of its code. */
export async function expectErrorOnPage(
  page: Page,
  texts: Texts,
  { title = 'login.failed', code }: { title?: string; code: string },
): Promise<void> {
  const alert = page.getByRole('alert').filter({ hasText: texts(title) });
  await expect(alert).toContainText(texts(`errors.${code}`));
}

/** Checks that a toast shows the failure, which happened before this page was loaded. */
export async function expectErrorToast(page: Page, text: string): Promise<void> {
  const toast = page.locator('.toast');
  await expect(toast).toContainText(text);
  await toast.getByRole('button').click();
  await expect(toast).toBeHidden();
}

/** Waits for a new message and answers its one-time code. */
export async function newCode(
  messages: () => Promise<string[]>,
  { before }: { before: number },
): Promise<string> {
  await expect.poll(async () => (await messages()).length).toBeGreaterThan(before);
  const [newest = ''] = await messages();
  return /\d{6}/.exec(newest)?.[0] ?? '';
}

/** Another code of six digits. */
export function otherCode(code: string): string {
  return code.replace(/\d$/, (digit) => String((Number(digit) + 1) % 10));
}

export async function textsOf(locale: string): Promise<Texts> {
  const words = await wordsOf(locale);
  return (key, values = {}) => {
    const found = words.get(key);
    if (found === undefined) throw new Error(`${locale} has no text for ${key}`);
    return found.replace(/\{\{(\w+)\}\}/g, (_, name) => values[name] ?? '');
  };
}
