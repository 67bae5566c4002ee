import { expect } from '@playwright/test';
import { orderAddress, waitForStatus } from './orders.ts';
import { type OrdersByState, open, screensOf, type TestPage, waitForText } from './screen.ts';

/** Opens an order and waits until it has reached its status. */
async function openOrder(
  testPage: TestPage,
  name: keyof OrdersByState,
  status: string,
): Promise<void> {
  const orders = await testPage.orders();
  await open(testPage, orderAddress(orders[name]));
  await waitForStatus(testPage.page, status);
  await testPage.untilIdle();
}

async function openReceipt(testPage: TestPage, name: keyof OrdersByState): Promise<void> {
  const orders = await testPage.orders();
  await open(testPage, `/main/recharge/receipt/${orders[name]}`);
  await expect(testPage.page.getByRole('button', { name: 'Print' })).toBeVisible();
}

export const orderScreens = [
  ...screensOf('Order', 'aveline', {
    Unpaid: (testPage) => openOrder(testPage, 'unpaid', 'Unpaid'),
    Processing: (testPage) => openOrder(testPage, 'processing', 'Processing'),
    Paid: (testPage) => openOrder(testPage, 'paid', 'Paid'),
    Fulfilled: (testPage) => openOrder(testPage, 'fulfilled', 'Fulfilled'),
    'Fulfilled, E Points': (testPage) => openOrder(testPage, 'points', 'Fulfilled'),
    Refunded: (testPage) => openOrder(testPage, 'refunded', 'Refunded'),
    'Payment failed': (testPage) => openOrder(testPage, 'late', 'Payment failed'),
    loading: async (testPage) => {
      const { fulfilled } = await testPage.orders();
      await testPage.hold(/\/api\/payment\/order\/detail/);
      await open(testPage, orderAddress(fulfilled));
    },
    'no such order': async (testPage) => {
      await open(testPage, orderAddress('019a0000-0000-7000-8000-000000000000'));
      await waitForText(testPage, 'Payment order number is wrong');
    },
  }),
  ...screensOf('Receipt', 'aveline', {
    paid: (testPage) => openReceipt(testPage, 'fulfilled'),
    refunded: (testPage) => openReceipt(testPage, 'refunded'),
    'not paid': async (testPage) => {
      const { unpaid } = await testPage.orders();
      await open(testPage, `/main/recharge/receipt/${unpaid}`);
      await waitForText(testPage, 'This order has not been paid');
    },
  }),
];
