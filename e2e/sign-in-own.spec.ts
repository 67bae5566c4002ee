import { expect, type Page } from '@playwright/test';
import { expectAccessible } from './barriers.ts';
import type { Shop } from './shop.ts';
import { attempt, aveline, chooseMethod, newCode, type Texts, test } from './sign-in.ts';

const { password } = aveline;
const other = 'Tide-41-hollow';
const sizes = [
  { name: 'a phone', viewport: { width: 390, height: 844 } },
  { name: 'a desktop', viewport: { width: 1440, height: 900 } },
];

// Every test restores what it changes, because other tests sign in with the same account.
for (const { name, viewport } of sizes) {
  test.describe(`a player changes the password on ${name}`, () => {
    test.use({ viewport });

    test(`a signed-in player changes the password on ${name} and stays signed in`, async ({
      page,
      shop,
      texts,
    }) => {
      await openAccount(page, shop, texts);
      await changePassword(page, texts, { from: 'Wrong-58', to: other });
      await expect(page.getByRole('alert')).toContainText(texts('errors.InvalidPassword'));
      await expectAccessible(page);
      await page.getByLabel(texts('security.current'), { exact: true }).fill(password);
      await press(page, texts, 'budget.save');
      await expect(page.getByText(texts('reset.done'))).toBeVisible();
      await page.reload();
      await changePassword(page, texts, { from: other, to: password });
      await expect(page.getByText(texts('reset.done'))).toBeVisible();
    });
  });
}

test('a player changes email and phone with a one-time code each, and changes them back', async ({
  page,
  shop,
  texts,
}) => {
  await openAccount(page, shop, texts);
  for (const to of ['new-mail@example.com', aveline.EMAIL_PASSWORD_AUTH]) {
    const messages = () => shop.codeMailsTo(to);
    await press(page, texts, 'security.changeEmail');
    await page.getByRole('textbox', { name: texts('login.email'), exact: true }).fill(to);
    await confirm(page, texts, messages);
    await expect(page.getByText(texts('security.emailSaved'))).toBeVisible();
    await expect(security(page, texts).getByText(`${to[0]}***@example.com`)).toBeVisible();
  }
  for (const to of ['+12025550177', aveline.MOBILE_AUTH]) {
    const messages = () => shop.textsTo(to);
    await press(page, texts, 'security.changePhone');
    await page.getByRole('textbox', { name: texts('login.phone'), exact: true }).fill(to);
    await confirm(page, texts, messages);
    await expect(page.getByText(texts('security.phoneSaved'))).toBeVisible();
    // The masked number, and not the note about the code, which may still be closing.
    const masked = new RegExp(`\\*${to.slice(-3)}$`);
    await expect(security(page, texts).getByText(masked)).toBeVisible();
  }
  await expectAccessible(page);
});

test('a player creates recovery codes and resets the password with one of them', async ({
  page,
  shop,
  texts,
  leakDetector,
}) => {
  await openAccount(page, shop, texts);
  const making = page.getByRole('button', {
    name: new RegExp(`${texts('security.makeCodes')}|${texts('security.makeNewCodes')}`),
  });
  await making.click();
  await page.getByLabel(texts('security.current'), { exact: true }).fill(password);
  await expectAccessible(page);
  await press(page, texts, 'security.makeSubmit');
  const codes = page.getByRole('dialog').getByRole('listitem');
  await expect(codes).toHaveCount(10);
  await expectAccessible(page);
  const shown = await codes.allTextContents();
  leakDetector.addSecrets(shown.map((value) => ({ kind: 'a recovery code', value })));
  await press(page, texts, 'security.codesKept');
  await expect(security(page, texts).getByText(/^10 of 10 left/)).toBeVisible();

  await page.goto(shop.portal('/login/reset'));
  await press(page, texts, 'reset.useRecovery');
  await page.getByLabel(texts('reset.account'), { exact: true }).fill('aveline');
  await page.getByLabel(texts('reset.recoveryCode'), { exact: true }).fill(shown[0] ?? '');
  await page.getByLabel(texts('reset.password'), { exact: true }).fill(password);
  await page.getByLabel(texts('reset.again'), { exact: true }).fill(password);
  await expectAccessible(page);
  await press(page, texts, 'reset.submit');
  await expect(page.getByText(texts('reset.done'))).toBeVisible();
  await openAccount(page, shop, texts);
  await expect(security(page, texts).getByText(/^9 of 10 left/)).toBeVisible();
});

const security = (page: Page, texts: Texts) =>
  page.getByRole('region', { name: texts('security.title') });

async function openAccount(page: Page, shop: Shop, texts: Texts): Promise<void> {
  await page.goto(shop.portal('/login'));
  const method = 'EMAIL_PASSWORD_AUTH';
  await chooseMethod(page, texts, method);
  const name = aveline[method];
  expect(await attempt(page, texts, { method, name, secret: password })).toBeNull();
  await page.goto(shop.portal('/main/account/user'));
  await expect(security(page, texts).getByText('a***@example.com')).toBeVisible();
}

async function press(page: Page, texts: Texts, words: string): Promise<void> {
  await page.getByRole('button', { name: texts(words), exact: true }).click();
}

async function changePassword(
  page: Page,
  texts: Texts,
  { from, to }: { from: string; to: string },
): Promise<void> {
  await press(page, texts, 'security.changePassword');
  await page.getByLabel(texts('security.current'), { exact: true }).fill(from);
  await page.getByLabel(texts('reset.password'), { exact: true }).fill(to);
  await page.getByLabel(texts('reset.again'), { exact: true }).fill(to);
  await press(page, texts, 'budget.save');
}

/** Requests a code for the new address or number, and submits it with the password. */
async function confirm(page: Page, texts: Texts, messages: () => Promise<string[]>): Promise<void> {
  const before = (await messages()).length;
  await press(page, texts, 'login.sendCode');
  const code = await newCode(messages, { before });
  await page.getByLabel(texts('login.code'), { exact: true }).fill(code);
  await page.getByLabel(texts('security.current'), { exact: true }).fill(password);
  await press(page, texts, 'budget.save');
}
