import { expect, type Page } from '@playwright/test';
import {
  aveline,
  codeOf,
  expectErrorOnPage,
  newCode,
  otherCode,
  type Texts,
  test,
} from './sign-in.ts';
import { desktop, mobileSafari } from './windows.ts';

const ways = [
  {
    by: 'email',
    method: 'EMAIL_PASSWORD_AUTH',
    wrongCode: 'InvalidEmailCode',
    sending: '/api/user/email/code/send',
  },
  {
    by: 'phone',
    method: 'MOBILE_PASSWORD_AUTH',
    wrongCode: 'InvalidMobileCode',
    sending: '/api/user/phone/code/send',
  },
] as const;

for (const { name: where, use } of [desktop, mobileSafari]) {
  test.describe(`a player resets the password ${where}`, () => {
    test.use(use);

    for (const { by, method, wrongCode, sending } of ways) {
      test(`[S5.02] [S8.06] [S8.11] a password reset by ${by} for ${method} ${where} shows ${wrongCode} and other errors, then succeeds`, async ({
        page,
        shop,
        texts,
      }) => {
        const to = aveline[method];
        const messages = () => (by === 'email' ? shop.codeMailsTo(to) : shop.textsTo(to));
        await page.goto(shop.portal(`/login/reset?by=${by}`));
        const before = (await messages()).length;
        await page.getByRole('textbox', { name: texts(`login.${by}`), exact: true }).fill(to);
        const sent = await codeOf(page, sending, () =>
          page.getByRole('button', { name: texts('login.sendCode'), exact: true }).click(),
        );
        expect(sent).toBeNull();
        const target = texts('login.codeSent', { target: to });
        await expect(page.getByText(target).first()).toBeVisible();
        const code = await newCode(messages, { before });

        await type(page, texts, { code, password: 'abcdef', again: 'abcdeg' });
        await submit(page, texts);
        await expect(page.getByText(texts('errors.PasswordFormatMismatch'))).toBeVisible();
        await expect(page.getByText(texts('reset.mismatch'))).toBeVisible();

        const path = `/api/user/${by}/psw/reset`;
        const title = 'reset.failed';
        await type(page, texts, { code, password: 'abc123' });
        expect(await codeOf(page, path, () => submit(page, texts))).toBe('PasswordKnown');
        await expectErrorOnPage(page, texts, { title, code: 'PasswordKnown' });

        const { password } = aveline;
        await type(page, texts, { code: otherCode(code), password });
        expect(await codeOf(page, path, () => submit(page, texts))).toBe(wrongCode);
        await expectErrorOnPage(page, texts, { title, code: wrongCode });

        await type(page, texts, { code, password });
        expect(await codeOf(page, path, () => submit(page, texts))).toBeNull();
        await expect(page.getByText(texts('reset.done'))).toBeVisible();
        await expect(page).toHaveURL(shop.portal('/login'));
      });
    }
  });
}

async function type(
  page: Page,
  texts: Texts,
  { code, password, again = password }: { code: string; password: string; again?: string },
): Promise<void> {
  await page.getByLabel(texts('login.code'), { exact: true }).fill(code);
  await page.getByLabel(texts('reset.password'), { exact: true }).fill(password);
  await page.getByLabel(texts('reset.again'), { exact: true }).fill(again);
}

async function submit(page: Page, texts: Texts): Promise<void> {
  await page.getByRole('button', { name: texts('reset.submit'), exact: true }).click();
}
