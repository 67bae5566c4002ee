import { expect } from '@playwright/test';
import { answer, open, screensOf, type TestPage } from './screen.ts';

const button = ({ page }: TestPage, name: string | RegExp) =>
  page.getByRole('button', { name, exact: true });
const field = ({ page }: TestPage, name: string) => page.getByLabel(name, { exact: true });

async function openTab(testPage: TestPage, name: string): Promise<void> {
  await open(testPage, '/login');
  await testPage.page.getByRole('tab', { name, exact: true }).click();
}

async function refused(testPage: TestPage, text: string): Promise<void> {
  await button(testPage, 'Sign in').click();
  await expect(testPage.page.getByText(text).first()).toBeVisible();
}

const secureLink = `/login/secure#${'a'.repeat(22)}.${'b'.repeat(43)}`;

const doubtedPasskeys = {
  token: 'c'.repeat(43),
  passkeys: ['iPhone', 'Windows'].map((name, index) => ({
    passkeyId: `00000000-0000-4000-8000-00000000000${index}`,
    name,
    siteTitle: 'Solmere',
    createdAt: `2026-11-0${index + 1}T10:00:00.000Z`,
    lastUsedAt: index === 0 ? '2026-11-12T10:00:00.000Z' : null,
  })),
};

export const loginScreens = [
  ...screensOf('Login', 'guest', {
    'by account name': (testPage) => open(testPage, '/login'),
    'by email': (testPage) => openTab(testPage, 'Email'),
    'by phone': (testPage) => openTab(testPage, 'Phone'),
    'by phone and code': async (testPage) => {
      await openTab(testPage, 'Phone');
      const other = button(testPage, 'Use a verification code instead');
      if (await other.isVisible()) await other.click();
      await expect(button(testPage, 'Send code')).toBeVisible();
    },
    'country codes': async (testPage) => {
      await openTab(testPage, 'Phone');
      await testPage.page.getByRole('button', { name: /^Country or region/ }).click();
      await expect(testPage.page.getByRole('dialog')).toBeVisible();
    },
    'nothing filled in': async (testPage) => {
      await open(testPage, '/login');
      await refused(testPage, 'Please enter complete information');
    },
    'not an email': async (testPage) => {
      await openTab(testPage, 'Email');
      await field(testPage, 'Email').fill('aveline');
      await field(testPage, 'Password').fill('Dawn-58-reach');
      await refused(testPage, 'Please enter your valid email');
    },
    'wrong password': async (testPage) => {
      await open(testPage, '/login');
      await field(testPage, 'Account').fill('kaito');
      await field(testPage, 'Password').fill('Wrong-00-wrong');
      await refused(testPage, 'Incorrect password');
    },
    'sent from a page': (testPage) => open(testPage, '/main/recharge?item=shards_980'),
  }),
  ...screensOf('Reset password', 'guest', {
    'by email': (testPage) => open(testPage, '/login/reset'),
    'by phone': (testPage) => open(testPage, '/login/reset?by=phone'),
    'by recovery code': (testPage) => open(testPage, '/login/reset?by=recovery'),
    'password too simple': async (testPage) => {
      await open(testPage, '/login/reset');
      await field(testPage, 'New password').fill('123');
      await button(testPage, 'Change password').click();
      await expect(field(testPage, 'New password')).toHaveAttribute('aria-invalid', 'true');
    },
    'asks about passkeys': async (testPage) => {
      await answer(testPage, '**/api/user/email/psw/reset', { review: doubtedPasskeys });
      await open(testPage, '/login/reset?by=email');
      await field(testPage, 'Email').fill('aveline@example.com');
      await field(testPage, 'Verification code').fill('123456');
      await field(testPage, 'New password').fill('Dawn-58-reach');
      await field(testPage, 'New password again').fill('Dawn-58-reach');
      await button(testPage, 'Change password').click();
      await testPage.page.getByRole('checkbox', { name: /Windows/ }).check();
    },
  }),
  ...screensOf('Secure account', 'guest', {
    asks: (testPage) => open(testPage, secureLink),
    'link too old': async (testPage) => {
      await testPage.refuse(/\/api\/user\/secure$/, 'NoticeExpired');
      await open(testPage, secureLink);
      await button(testPage, 'Secure my account').click();
      await expect(testPage.page.getByRole('alert')).toBeVisible();
    },
    done: async (testPage) => {
      await answer(testPage, '**/api/user/secure', { removed: 1 });
      await open(testPage, secureLink);
      await button(testPage, 'Secure my account').click();
      await expect(testPage.page.getByText('Your account is secured')).toBeVisible();
    },
  }),
];
