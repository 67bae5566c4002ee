import { expect } from '@playwright/test';
import { answer, open, type Stage, screensOf } from './screen.ts';

const button = ({ page }: Stage, name: string | RegExp) =>
  page.getByRole('button', { name, exact: true });
const field = ({ page }: Stage, name: string) => page.getByLabel(name, { exact: true });

async function openTab(stage: Stage, name: string): Promise<void> {
  await open(stage, '/login');
  await stage.page.getByRole('tab', { name, exact: true }).click();
}

async function refused(stage: Stage, text: string): Promise<void> {
  await button(stage, 'Sign in').click();
  await expect(stage.page.getByText(text).first()).toBeVisible();
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
    'by account name': (stage) => open(stage, '/login'),
    'by email': (stage) => openTab(stage, 'Email'),
    'by phone': (stage) => openTab(stage, 'Phone'),
    'by phone and code': async (stage) => {
      await openTab(stage, 'Phone');
      const other = button(stage, 'Use a verification code instead');
      if (await other.isVisible()) await other.click();
      await expect(button(stage, 'Send code')).toBeVisible();
    },
    'country codes': async (stage) => {
      await openTab(stage, 'Phone');
      await stage.page.getByRole('button', { name: /^Country or region/ }).click();
      await expect(stage.page.getByRole('dialog')).toBeVisible();
    },
    'nothing filled in': async (stage) => {
      await open(stage, '/login');
      await refused(stage, 'Please enter complete information');
    },
    'not an email': async (stage) => {
      await openTab(stage, 'Email');
      await field(stage, 'Email').fill('aveline');
      await field(stage, 'Password').fill('Dawn-58-reach');
      await refused(stage, 'Please enter your valid email');
    },
    'wrong password': async (stage) => {
      await open(stage, '/login');
      await field(stage, 'Account').fill('kaito');
      await field(stage, 'Password').fill('Wrong-00-wrong');
      await refused(stage, 'Incorrect password');
    },
    'sent from a page': (stage) => open(stage, '/main/recharge?item=shards_980'),
  }),
  ...screensOf('Reset password', 'guest', {
    'by email': (stage) => open(stage, '/login/reset'),
    'by phone': (stage) => open(stage, '/login/reset?by=phone'),
    'by recovery code': (stage) => open(stage, '/login/reset?by=recovery'),
    'password too simple': async (stage) => {
      await open(stage, '/login/reset');
      await field(stage, 'New password').fill('123');
      await button(stage, 'Change password').click();
      await expect(field(stage, 'New password')).toHaveAttribute('aria-invalid', 'true');
    },
    'asks about passkeys': async (stage) => {
      await answer(stage, '**/api/user/email/psw/reset', { review: doubtedPasskeys });
      await open(stage, '/login/reset?by=email');
      await field(stage, 'Email').fill('aveline@example.com');
      await field(stage, 'Verification code').fill('123456');
      await field(stage, 'New password').fill('Dawn-58-reach');
      await field(stage, 'New password again').fill('Dawn-58-reach');
      await button(stage, 'Change password').click();
      await stage.page.getByRole('checkbox', { name: /Windows/ }).check();
    },
  }),
  ...screensOf('Secure account', 'guest', {
    asks: (stage) => open(stage, secureLink),
    'link too old': async (stage) => {
      await stage.refuse(/\/api\/user\/secure$/, 'NoticeExpired');
      await open(stage, secureLink);
      await button(stage, 'Secure my account').click();
      await expect(stage.page.getByRole('alert')).toBeVisible();
    },
    done: async (stage) => {
      await answer(stage, '**/api/user/secure', { removed: 1 });
      await open(stage, secureLink);
      await button(stage, 'Secure my account').click();
      await expect(stage.page.getByText('Your account is secured')).toBeVisible();
    },
  }),
];
