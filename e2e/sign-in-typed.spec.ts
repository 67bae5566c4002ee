import { expect, type Page } from '@playwright/test';
import { expectAccessible } from './barriers.ts';
import type { Shop } from './shop.ts';
import {
  attempt,
  aveline,
  chooseMethod,
  codeOf,
  expectErrorOnPage,
  nameField,
  newCode,
  otherCode,
  secretField,
  type Texts,
  type TypedMethod,
  test,
  textsOf,
} from './sign-in.ts';
import { desktop, mobileChrome, mobileSafari, oneWindowOf } from './windows.ts';

const withPassword = [
  { method: 'LOGIN_NAME_PASSWD_AUTH', nobody: 'nobody', notFound: 'LoginNameAccountNotFound' },
  {
    method: 'EMAIL_PASSWORD_AUTH',
    nobody: 'nobody@example.com',
    notFound: 'EmailAccountNotFound',
    illegible: { typed: 'nobody@', text: 'login.emailInvalid' },
  },
  {
    method: 'MOBILE_PASSWORD_AUTH',
    nobody: '+12025550199',
    notFound: 'MobileAccountNotFound',
    illegible: { typed: '+12025', text: 'login.phoneInvalid' },
  },
] as const;
const typedMethods: TypedMethod[] = [...withPassword.map(({ method }) => method), 'MOBILE_AUTH'];

for (const { name: where, use } of [desktop, mobileSafari]) {
  test.describe(`a player signs in ${where}`, () => {
    test.use(use);

    for (const { method, nobody, notFound, ...more } of withPassword) {
      test(`[S3.11] [S8.06] ${method} ${where} shows ${notFound} and InvalidPassword, then signs the player in`, async ({
        page,
        shop,
        texts,
      }) => {
        await page.goto(shop.portal('/login'));
        await chooseMethod(page, texts, method);
        if ('illegible' in more) {
          await nameField(page, texts, method).fill(more.illegible.typed);
          await page.getByRole('button', { name: texts('login.submit'), exact: true }).click();
          await expect(page.getByText(texts(more.illegible.text))).toBeVisible();
        }
        const { password } = aveline;
        expect(await attempt(page, texts, { method, name: nobody, secret: password })).toBe(
          notFound,
        );
        await expectErrorOnPage(page, texts, { code: notFound });
        const name = aveline[method];
        const wrong = await attempt(page, texts, { method, name, secret: 'Dusk-58-reach' });
        expect(wrong).toBe('InvalidPassword');
        await expectErrorOnPage(page, texts, { code: 'InvalidPassword' });
        expect(await attempt(page, texts, { method, name, secret: password })).toBeNull();
        await isIn(page, shop, texts);
      });
    }

    test(`[S3.11] [S8.06] the mobile code sign-in form ${where} shows MobileAccountNotFound and InvalidMobileCode, then signs the player in`, async ({
      page,
      shop,
      texts,
    }) => {
      const method = 'MOBILE_AUTH';
      const phone = aveline[method];
      await page.goto(shop.portal('/login'));
      await chooseMethod(page, texts, method);
      const unknown = { method, name: '+12025550199', secret: '123456' } as const;
      expect(await attempt(page, texts, unknown)).toBe('MobileAccountNotFound');
      await expectErrorOnPage(page, texts, { code: 'MobileAccountNotFound' });

      const before = (await shop.textsTo(phone)).length;
      expect(await askForCode(page, texts, phone)).toBeNull();
      const sent = texts('login.codeSent', { target: phone });
      await expect(page.getByText(sent).first()).toBeVisible();
      const code = await newCode(() => shop.textsTo(phone), { before });
      const wrong = await attempt(page, texts, { method, name: phone, secret: otherCode(code) });
      expect(wrong).toBe('InvalidMobileCode');
      await expectErrorOnPage(page, texts, { code: 'InvalidMobileCode' });
      expect(await attempt(page, texts, { method, name: phone, secret: code })).toBeNull();
      await isIn(page, shop, texts);
    });

    test(`all forms of the sign-in page are accessible ${where}`, async ({ page, shop, texts }) => {
      await page.goto(shop.portal('/login'));
      for (const tab of ['name', 'email', 'phone']) {
        await page.getByRole('tab', { name: texts(`login.tab.${tab}`), exact: true }).click();
        await expectAccessible(page);
      }
    });
  });
}

for (const { name: where, use } of oneWindowOf([desktop, mobileSafari], 'limits')) {
  test.describe(`a player signs in ${where}`, () => {
    test.use(use);

    test(`[S8.06] the mobile code sign-in form ${where} shows AuthCodeSendTooFrequently and HumanProofNeeded on a code request`, async ({
      page,
      shop,
      texts,
    }) => {
      await openCodeForm(page, shop, texts);
      expect(await askForCode(page, texts, '+12025550197')).toBeNull();
      // The button is disabled for a minute; after a reload only the shop enforces the wait.
      await openCodeForm(page, shop, texts);
      expect(await askForCode(page, texts, '+12025550197')).toBe('AuthCodeSendTooFrequently');
      const title = 'login.codeFailed';
      await expectErrorOnPage(page, texts, { title, code: 'AuthCodeSendTooFrequently' });

      // From the same IP address the browser now has to solve a challenge, invisibly to the player.
      const challenged = page.waitForResponse('**/api/user/challenge');
      expect(await askForCode(page, texts, '+12025550196')).toBe('HumanProofNeeded');
      const sent = texts('login.codeSent', { target: '+12025550196' });
      await expect(page.getByText(sent).first()).toBeVisible();
      // A solved challenge cannot be used twice.
      const challenge = await (await challenged).json();
      await page.route('**/api/user/challenge', (route) => route.fulfill({ json: challenge }));
      await openCodeForm(page, shop, texts);
      await askForCode(page, texts, '+12025550195');
      await expectErrorOnPage(page, texts, { title, code: 'HumanProofNeeded' });
    });

    test(`[S8.06] ${typedMethods.join(', ')} ${where} show SignInThrottled after ten failures`, async ({
      page,
      shop,
      texts,
    }) => {
      await page.goto(shop.portal('/login'));
      await chooseMethod(page, texts, 'LOGIN_NAME_PASSWD_AUTH');
      for (let failures = 0; failures < 10; failures += 1) {
        const name = `nobody-${failures}`;
        const guess = { method: 'LOGIN_NAME_PASSWD_AUTH', name, secret: 'x' } as const;
        expect(await attempt(page, texts, guess)).toBe('LoginNameAccountNotFound');
      }
      // From this IP address even the right password is refused.
      for (const method of typedMethods) {
        await chooseMethod(page, texts, method);
        const secret = method === 'MOBILE_AUTH' ? '123456' : aveline.password;
        const code = await attempt(page, texts, { method, name: aveline[method], secret });
        expect(code, method).toBe('SignInThrottled');
        await expectErrorOnPage(page, texts, { code: 'SignInThrottled' });
      }
    });
  });
}

for (const { name: where, use } of oneWindowOf([desktop, mobileChrome], 'not offered')) {
  test.describe(`a player signs in ${where}`, () => {
    test.use(use);

    test(`[S8.06] all eight sign-in methods ${where} show LoginMethodNotOffered or canNoEmailLogin after the site disabled them`, async ({
      page,
      shop,
      texts,
    }) => {
      await page.goto(shop.portal('/login'));
      await chooseMethod(page, texts, 'LOGIN_NAME_PASSWD_AUTH');
      await shop.whileOffering([], async () => {
        for (const method of typedMethods) {
          const code =
            method === 'EMAIL_PASSWORD_AUTH' ? 'canNoEmailLogin' : 'LoginMethodNotOffered';
          await chooseMethod(page, texts, method);
          const secret = method === 'MOBILE_AUTH' ? '123456' : aveline.password;
          const answered = await attempt(page, texts, { method, name: aveline[method], secret });
          expect(answered, method).toBe(code);
          await expectErrorOnPage(page, texts, { code });
        }
        // The provider buttons have their own alert; the alert of a form disappears with its form.
        await chooseMethod(page, texts, 'LOGIN_NAME_PASSWD_AUTH');
        const named = (provider: string) => texts('login.continueWith', { provider });
        for (const name of [
          ...['Apple', 'Google', 'Facebook'].map(named),
          texts('login.scanWechat'),
        ]) {
          const code = await codeOf(page, '/api/user/login/start', () =>
            page.getByRole('button', { name, exact: true }).click(),
          );
          expect(code, name).toBe('LoginMethodNotOffered');
          await expectErrorOnPage(page, texts, { code: 'LoginMethodNotOffered' });
        }
      });
    });
  });
}

test('a player finds a country by its name on the sign-in page and signs in with a code sent to a phone number there', async ({
  page,
  shop,
}) => {
  const texts = await textsOf('en-US');
  await openCodeForm(page, shop, texts);
  await page.getByRole('button', { name: /^Country or region/ }).click();
  await page.getByPlaceholder('Search by name or code').fill('United States');
  await page
    .getByRole('listitem')
    .getByRole('button', { name: /^United States/ })
    .first()
    .click();
  const before = (await shop.textsTo(aveline.MOBILE_AUTH)).length;
  expect(await askForCode(page, texts, aveline.MOBILE_AUTH.replace('+1', ''))).toBeNull();
  const code = await newCode(() => shop.textsTo(aveline.MOBILE_AUTH), { before });
  await secretField(page, texts, 'MOBILE_AUTH').fill(code);
  await page.getByRole('button', { name: texts('login.submit'), exact: true }).click();
  await isIn(page, shop, texts);
});

async function openCodeForm(page: Page, shop: Shop, texts: Texts): Promise<void> {
  await page.goto(shop.portal('/login'));
  await chooseMethod(page, texts, 'MOBILE_AUTH');
}

/** Requests a one-time code and answers the first error code of the shop, or null. */
async function askForCode(page: Page, texts: Texts, phone: string): Promise<string | null> {
  await nameField(page, texts, 'MOBILE_AUTH').fill(phone);
  return await codeOf(page, '/api/user/phone/code/send', () =>
    page.getByRole('button', { name: texts('login.sendCode'), exact: true }).click(),
  );
}

async function isIn(page: Page, shop: Shop, texts: Texts): Promise<void> {
  await expect(page.getByText(texts('login.successful'))).toBeVisible();
  await expect(page).toHaveURL(shop.portal('/main/home'));
}
