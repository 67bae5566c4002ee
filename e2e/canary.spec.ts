import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, type Page } from '@playwright/test';
import { z } from 'zod';
import type { Leak } from '../tools/evidence/find-leaks.ts';
import { withPlantedRow } from '../tools/evidence/plant.ts';
import { tellRedis } from '../tools/evidence/redis.ts';
import type { Stack } from '../tools/stack/start-stack.ts';
import { endResetWait } from '../tools/stack/test-state.ts';
import { contactSecrets, type LeakDetector } from './leak-detector.ts';
import type { Shop } from './shop.ts';
import { attempt, chooseMethod, newCode, otherCode, test } from './sign-in.ts';

const kaito = { loginName: 'kaito', email: 'kaito@example.com', phone: '+12025550148' };

test('the search for leaked secrets finds a planted marker in the Referer, the log, a table and Redis', async ({
  page,
  shop,
  stack,
  leakDetector,
}) => {
  const marker = `canary-${randomUUID()}`;
  await page.request.get(shop.portal(`/${marker}`));
  await page.goto(shop.portal('/login'), { referer: shop.portal(`/?${marker}`) });
  if (stack.redisUrl !== null) {
    await tellRedis(stack.redisUrl, ['SET', 'canary', marker, 'EX', '60']);
  }
  const leaks = await withPlantedRow(stack.databaseUrl, marker, () =>
    leakDetector.leaksOf([{ kind: 'the marker', value: marker }]),
  );
  if (stack.redisUrl !== null) await tellRedis(stack.redisUrl, ['DEL', 'canary']);

  const found = Object.fromEntries(leaks.map(({ place, form }) => [place, form]));
  expect(found).toEqual({
    referers: 'plain',
    'log api': 'plain',
    'table public.canary_scratch': 'hex',
    ...(stack.redisUrl === null ? {} : { redis: 'plain', 'redis commands': 'plain' }),
  });
});

test('passwords, one-time codes, sign-in tickets, sessions and personal data are in no log, table, cache or Referer', async ({
  page,
  shop,
  stack,
  texts,
  leakDetector,
}) => {
  test.setTimeout(300_000);
  const leaks: Leak[] = [];
  // Also searched in between, because codes, tickets and sign-in states are deleted once they are
  // used.
  const look = async () => {
    leaks.push(...(await leakDetector.leaksOf(await leakDetector.secrets())));
  };

  await test.step('a player types a wrong password and a wrong account name on the sign-in page', async () => {
    await page.goto(shop.portal('/login'));
    const wrong = newPassword(leakDetector);
    const method = 'MOBILE_PASSWORD_AUTH';
    await chooseMethod(page, texts, method);
    const refused = await attempt(page, texts, { method, name: kaito.phone, secret: wrong });
    expect(refused).toBe('InvalidPassword');
    const typo = newPassword(leakDetector);
    await chooseMethod(page, texts, 'LOGIN_NAME_PASSWD_AUTH');
    // A phone number typed into the field of the account name.
    const named = { method: 'LOGIN_NAME_PASSWD_AUTH', name: kaito.phone, secret: typo } as const;
    expect(await attempt(page, texts, named)).toBe('LoginNameAccountNotFound');
  });

  const password = newPassword(leakDetector);
  await test.step('the player resets the password with a code sent by mail', async () => {
    await resetPassword(page, shop, { by: 'email', to: kaito.email, password, look });
  });
  const newest = newPassword(leakDetector);
  await test.step('the player resets the password with a code sent in a text message', async () => {
    await resetPassword(page, shop, { by: 'phone', to: kaito.phone, password: newest, look });
  });
  await test.step('the player signs in with the new password', async () => {
    await page.goto(shop.portal('/login'));
    const method = 'EMAIL_PASSWORD_AUTH';
    await chooseMethod(page, texts, method);
    const typed = { method, name: kaito.email, secret: newest } as const;
    expect(await attempt(page, texts, typed)).toBe(null);
    await page.waitForURL(shop.portal('/main/home'));
  });

  const output = await test.step('an operator imports the real name of the player by command', () =>
    importPerson(page, shop, stack, leakDetector));
  await test.step('the player arrives by game links with a sign-in ticket and with a token', async () => {
    const ticket = await shop.ticketOf('ga_kaito');
    leakDetector.addSecrets([{ kind: 'a ticket', value: ticket }]);
    await look();
    await arriveWith(page, shop, `ticket=${ticket}`);
    await arriveWith(page, shop, `token=${await shop.tokenOf('ga_kaito')}`);
    // A used ticket is refused, but must not leak either.
    await page.goto(shop.portal(`/main/home?ticket=${ticket}`));
    await expect(page.getByRole('dialog')).toBeVisible();
  });
  await test.step('the player signs in through WeChat, which answers with a sign-in code', () =>
    signInWithWechat(page, shop, look));

  const secrets = await leakDetector.secrets();
  leaks.push(...(await leakDetector.leaksOf(secrets, [{ name: 'log operate', text: output }])));
  const kinds = new Set(secrets.map(({ kind }) => kind));
  expect([...kinds].toSorted()).toEqual(plantedKinds);
  expect(leaks).toEqual([]);
});

const plantedKinds = [
  'a browser that left',
  'a code in a message',
  'a code of a provider',
  'a name',
  'a password',
  'a phone number',
  'a session',
  'a ticket',
  'an address',
  'an arrival token',
  'an identity number',
];

/** A random password that fulfils the password rule. */
function newPassword(leakDetector: LeakDetector): string {
  const value = `q7-${randomBytes(6).toString('hex')}`;
  leakDetector.addSecrets([{ kind: 'a password', value }]);
  return value;
}

async function resetPassword(
  page: Page,
  shop: Shop,
  input: { by: 'email' | 'phone'; to: string; password: string; look: () => Promise<void> },
): Promise<void> {
  const { by, to, password } = input;
  const messages = () => (by === 'email' ? shop.codeMailsTo(to) : shop.textsTo(to));
  const before = (await messages()).length;
  await page.goto(shop.portal(`/login/reset?by=${by}`));
  await page.getByRole('textbox', { name: by === 'email' ? 'Email' : 'Phone number' }).fill(to);
  await page.getByRole('button', { name: 'Send code' }).click();
  const code = await newCode(messages, { before });
  await input.look();
  await page.getByLabel('New password', { exact: true }).fill(password);
  await page.getByLabel('New password again').fill(password);
  for (const typed of [otherCode(code), code]) {
    await page.getByLabel('Verification code').fill(typed);
    await page.getByRole('button', { name: 'Change password' }).click();
    if (typed !== code)
      await expect(page.getByRole('alert')).toContainText('Password change failed');
  }
  await expect(page.getByText('Password updated')).toBeVisible();
}

const Info = z.object({ data: z.object({ accountId: z.uuid() }) });

/**
 * Imports a person as an operator, views it as the player, and answers the output of the commands.
 */
async function importPerson(
  page: Page,
  shop: Shop,
  stack: Stack,
  leakDetector: LeakDetector,
): Promise<string> {
  const digits = String(randomBytes(6).readUIntBE(0, 6)).padStart(15, '0');
  const person = {
    fullName: '龔雋永 Quillonbach',
    address: `Rue de l’Échiquier ${digits.slice(0, 8)}`,
    phone: `+8613${digits.slice(-9)}`,
    email: `zephyrine-${digits}@example.com`,
    birthday: '1990-04-09',
    identityNumber: `110101${digits.slice(-11)}x`,
  };
  leakDetector.addSecrets([
    { kind: 'a name', value: '龔雋永' },
    { kind: 'a name', value: 'Quillonbach' },
    { kind: 'an address', value: person.address },
    { kind: 'an identity number', value: person.identityNumber },
    ...contactSecrets(person.phone),
    ...contactSecrets(person.email),
  ]);
  const ask = async (path: string) =>
    await page.request.post(shop.portal(path), { data: {}, headers: { version: 'canary' } });
  const { accountId } = Info.parse(await (await ask('/api/user/info')).json()).data;
  const by = ['--by', 'canary'];
  const imported = await operate(stack, ['import-person', accountId, ...by], person);
  const { phone } = person;
  const found = await operate(stack, ['find-person', ...by], { phone });
  expect(found).toContain(accountId);
  await endResetWait(stack.databaseUrl);
  const shown = await ask('/api/user/real/info/query');
  expect(await shown.json()).toMatchObject({ isSuccess: true });
  return imported + found;
}

async function operate(stack: Stack, args: string[], input: object): Promise<string> {
  const program = join(import.meta.dirname, '../server/src/operate.ts');
  const env = { ...stack.serverEnv, LOG_LEVEL: 'debug' };
  const running = promisify(execFile)(process.execPath, [program, ...args], { env });
  running.child.stdin?.end(JSON.stringify(input));
  const { stdout, stderr } = await running;
  return stdout + stderr;
}

async function arriveWith(page: Page, shop: Shop, query: string): Promise<void> {
  await page.context().clearCookies();
  await page.goto(shop.portal(`/main/home?${query}`));
  await expect(page).toHaveURL(shop.portal('/main/home'));
  await expect
    .poll(async () => (await page.context().cookies()).map(({ name }) => name))
    .toContain('sid');
}

async function signInWithWechat(page: Page, shop: Shop, look: () => Promise<void>): Promise<void> {
  const { identity } = shop.addresses.sandbox;
  await page.context().clearCookies();
  await page.goto(shop.portal('/login'));
  await page.getByRole('button', { name: /WeChat/ }).click();
  await page.waitForURL(`${identity}/**`);
  await look();
  await page.getByRole('button', { name: /Mira Holm/ }).click();
  await expect(page.getByText('Login successful')).toBeVisible();
}
