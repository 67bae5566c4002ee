import { expect, type Page } from '@playwright/test';
import { expectAccessible } from './barriers.ts';
import { givenPasskeyDevice } from './passkey-device.ts';
import { type Shop, test } from './shop.ts';

const sizes = [
  { name: 'a phone', viewport: { width: 390, height: 844 } },
  { name: 'a desktop', viewport: { width: 1440, height: 900 } },
];

for (const { name, viewport } of sizes) {
  test.describe(`the account page is used on ${name}`, () => {
    test.use({ viewport });

    test('[S2.12] the account page shows the account of the player and the masked real name, and is accessible', async ({
      page,
      shop,
    }) => {
      await openAccount(page, shop);
      const realName = page.getByRole('region', { name: 'Real-name information' });
      await expect(realName.getByText('A***********h')).toBeVisible();
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Add a passkey' }).click();
      await expect(page.getByRole('dialog')).toBeVisible();
      await expectAccessible(page);
    });
  });
}

// High amounts, because the budget remains after this test and must not block purchases of others.
test('the account page applies a lower monthly budget at once and a higher one only from a later date', async ({
  page,
  shop,
}) => {
  await openAccount(page, shop);
  const budget = page.getByRole('region', { name: 'Monthly budget' });
  const save = async (opener: string, amount: string) => {
    await budget.getByRole('button', { name: opener }).click();
    await page.getByRole('textbox', { name: /Most per month/ }).fill(amount);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByRole('dialog')).toBeHidden();
  };
  await save('Set a budget', '20,000');
  await expect(budget.getByText(/ of \$20,000\.00$/)).toBeVisible();
  await save('Change', '10000');
  await expect(budget.getByText(/ of \$10,000\.00$/)).toBeVisible();
  await save('Change', '30000');
  await expect(budget.getByText(/^\$30,000\.00 from /)).toBeVisible();
  await expect(budget.getByText(/ of \$10,000\.00$/)).toBeVisible();
  await expectAccessible(page);
  await budget.getByRole('button', { name: 'Keep $10,000.00' }).click();
  await expect(budget.getByText(/^\$30,000\.00 from /)).toBeHidden();
});

test('a player adds a passkey on the account page, signs in with it, reveals the real name with it and removes it', async ({
  page,
  shop,
}) => {
  await givenPasskeyDevice(page);
  await openAccount(page, shop);
  const passkeys = page.getByRole('region', { name: 'Passkeys' });
  await passkeys.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByRole('textbox', { name: 'Name of this passkey' }).fill('Test device');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(passkeys.getByText('Test device')).toBeVisible();

  await signOut(page);
  await page.goto(shop.portal('/main/account'));
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(page.getByText('Login successful')).toBeVisible();
  const realName = page.getByRole('region', { name: 'Real-name information' });
  await expect(realName.getByText('A***********h')).toBeVisible();

  await signOut(page);
  await openAccount(page, shop);
  const confirm = realName.getByRole('button', { name: 'Confirm with a passkey' });
  await expect(confirm).toBeVisible();
  await expectAccessible(page);
  await confirm.click();
  await expect(realName.getByText('A***********h')).toBeVisible();

  await passkeys.getByRole('button', { name: 'Remove Test device' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(passkeys.getByText('No passkeys yet')).toBeVisible();
});

async function openAccount(page: Page, shop: Shop): Promise<void> {
  await page.goto(shop.portal('/main/account'));
  await shop.signIn(page);
  await expect(page).toHaveURL(shop.portal('/main/account/user'));
  await expect(page.getByRole('heading', { name: 'Account info', level: 1 })).toBeVisible();
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Account', exact: true }).click();
  await page.getByRole('button', { name: 'Logout' }).click();
  await page.waitForURL(/\/login$/);
}
