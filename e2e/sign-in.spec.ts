import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import { test } from './shop.ts';

const sizes = [
  { name: 'a phone', viewport: { width: 390, height: 844 } },
  { name: 'a desktop', viewport: { width: 1440, height: 900 } },
];
const providers = [/Apple/, /Google/, /Facebook/, /WeChat/];

for (const { name, viewport } of sizes) {
  test.describe(`on ${name}`, () => {
    test.use({ viewport });

    for (const provider of providers) {
      test(`a player signs in with ${provider.source}`, async ({ page, shop }) => {
        await page.goto(shop.portal('/login'));
        await choose(page, { provider, person: 'Mira Holm', at: shop.addresses.sandbox.identity });
        await expect(page.getByText('Login successful')).toBeVisible();
        await expect(page).toHaveURL(shop.portal('/main/home'));
      });

      test(`whom ${provider.source} knows and the shop does not is told so`, async ({
        page,
        shop,
      }) => {
        await page.goto(shop.portal('/login'));
        const person = 'A stranger to every shop';
        await choose(page, { provider, person, at: shop.addresses.sandbox.identity });
        await expect(page.getByText('Account does not exist')).toBeVisible();
        // Neither code nor state nor flag stays in the address.
        await expect(page).not.toHaveURL(/code=|state=|appleId=/);
      });
    }

    test('a player signs in with an e-mail address', async ({ page, shop }) => {
      await page.goto(shop.portal('/login'));
      await page.getByRole('tab', { name: 'Email' }).click();
      await page.getByRole('textbox', { name: 'Email' }).fill('aveline@example.com');
      await page.getByLabel('Password', { exact: true }).fill('Dawn-58-reach');
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await expect(page.getByText('Login successful')).toBeVisible();
    });

    test('the page of all ways in is accessible', async ({ page, shop }) => {
      await page.goto(shop.portal('/login'));
      for (const tab of ['Account', 'Email', 'Phone']) {
        await page.getByRole('tab', { name: tab }).click();
        const { violations } = await new AxeBuilder({ page }).analyze();
        expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
      }
    });
  });
}

test('a player signs in with a code that is texted', async ({ page, shop }) => {
  await page.goto(shop.portal('/login'));
  await page.getByRole('tab', { name: 'Phone' }).click();
  const useCode = page.getByRole('button', { name: 'Use a verification code instead' });
  if (await useCode.isVisible()) await useCode.click();
  await page.getByRole('button', { name: /^Country or region/ }).click();
  await page.getByPlaceholder('Search by name or code').fill('United States');
  await page
    .getByRole('listitem')
    .getByRole('button', { name: /^United States/ })
    .first()
    .click();
  await page.getByRole('textbox', { name: 'Phone number' }).fill('2025550123');
  await page.getByRole('button', { name: 'Send code' }).click();
  await expect(page.getByText(/Verification code sent to/).first()).toBeVisible();
  await expect.poll(() => shop.textsTo('+12025550123')).toHaveLength(1);
  const [text = ''] = await shop.textsTo('+12025550123');
  await page.getByLabel('Verification code').fill(/\d{6}/.exec(text)?.[0] ?? '');
  const submit = page.getByRole('button', { name: 'Sign in', exact: true });
  if (await submit.isVisible()) await submit.click();
  await expect(page.getByText('Login successful')).toBeVisible();
});

/** Goes to the provider, is somebody there, and comes back. */
async function choose(
  page: Page,
  { provider, person, at }: { provider: RegExp; person: string; at: string },
): Promise<void> {
  await page.getByRole('button', { name: provider }).click();
  await page.waitForURL(`${at}/**`);
  await page.getByRole('button', { name: new RegExp(person) }).click();
  await page.waitForURL((url) => url.origin !== at);
}
