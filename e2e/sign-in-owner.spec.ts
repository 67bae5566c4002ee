import { expect, type Page } from '@playwright/test';
import { givenPasskeyDevice } from './passkey-device.ts';
import type { Shop } from './shop.ts';
import { attempt, aveline, chooseMethod, newCode, type Texts, test } from './sign-in.ts';

const email = aveline.EMAIL_PASSWORD_AUTH;

test('an account owner follows a security notice, resets the password, and a passkey added by an intruder stops working', async ({
  page,
  shop,
  texts,
  leakDetector,
}) => {
  const before = (await shop.mailsTo(email)).length;
  await plantPasskey(page, shop, texts);
  await expect.poll(async () => (await shop.mailsTo(email)).length).toBeGreaterThan(before);
  const [mail = ''] = await shop.mailsTo(email);
  const [link = ''] = /\S+\/login\/secure#\S+/.exec(mail) ?? [];
  leakDetector.addSecrets([{ kind: 'a link of a notice', value: new URL(link).hash.slice(1) }]);

  await page.goto(link);
  await page.getByRole('button', { name: texts('secure.submit') }).click();
  await expect(page.getByText(texts('secure.done'))).toBeVisible();
  expect(page.url()).not.toContain('#');
  await page.getByRole('link', { name: texts('secure.reset') }).click();
  await setPassword(page, shop, texts);
  await expect(page.getByText(texts('reset.done'))).toBeVisible();
  await expectRefused(page, texts);
});

test('an account owner resets the password by code and removes a passkey that an intruder added', async ({
  page,
  shop,
  texts,
}) => {
  await plantPasskey(page, shop, texts);
  await page.goto(shop.portal('/login/reset?by=email'));
  await setPassword(page, shop, texts);
  await page.getByRole('checkbox', { name: /Planted/ }).check();
  await page.getByRole('button', { name: texts('review.removeMarked') }).click();
  await expect(page.getByText(texts('reset.done'))).toBeVisible();
  await expectRefused(page, texts);
});

/** Signs in with the password alone and adds a passkey. */
async function plantPasskey(page: Page, shop: Shop, texts: Texts): Promise<void> {
  await givenPasskeyDevice(page);
  await page.goto(shop.portal('/login'));
  const method = 'EMAIL_PASSWORD_AUTH';
  await chooseMethod(page, texts, method);
  expect(await attempt(page, texts, { method, name: email, secret: aveline.password })).toBeNull();
  await page.goto(shop.portal('/main/account/user'));
  await page.getByRole('button', { name: texts('passkeys.add') }).click();
  await page.getByRole('textbox', { name: texts('passkeys.name') }).fill('Planted');
  await page.getByRole('button', { name: texts('passkeys.continue') }).click();
  await expect(page.getByText(texts('passkeys.addedNow'))).toBeVisible();
}

/** Resets to the same password, because other tests sign in with it. */
async function setPassword(page: Page, shop: Shop, texts: Texts): Promise<void> {
  const messages = () => shop.codeMailsTo(email);
  const before = (await messages()).length;
  await page.getByRole('textbox', { name: texts('login.email'), exact: true }).fill(email);
  await page.getByRole('button', { name: texts('login.sendCode'), exact: true }).click();
  const code = await newCode(messages, { before });
  await page.getByLabel(texts('login.code'), { exact: true }).fill(code);
  await page.getByLabel(texts('reset.password'), { exact: true }).fill(aveline.password);
  await page.getByLabel(texts('reset.again'), { exact: true }).fill(aveline.password);
  await page.getByRole('button', { name: texts('reset.submit'), exact: true }).click();
}

async function expectRefused(page: Page, texts: Texts): Promise<void> {
  await page.waitForURL(/\/login$/);
  await page.getByRole('button', { name: texts('login.passkey') }).click();
  await expect(page.getByText(texts('errors.PasskeyRefused'))).toBeVisible();
}
