import { expect } from '@playwright/test';
import { type Orders, orderAddress, said } from './orders.ts';
import { open, type Stage, says, screensOf } from './screen.ts';

/** Opens an order and waits until it has reached its status. */
async function openOrder(stage: Stage, name: keyof Orders, status: string): Promise<void> {
  const orders = await stage.orders();
  await open(stage, orderAddress(orders[name]));
  await said(stage.page, status);
  await stage.quiet();
}

async function openReceipt(stage: Stage, name: keyof Orders): Promise<void> {
  const orders = await stage.orders();
  await open(stage, `/main/recharge/receipt/${orders[name]}`);
  await expect(stage.page.getByRole('button', { name: 'Print' })).toBeVisible();
}

export const orderScreens = [
  ...screensOf('Order', 'aveline', {
    Unpaid: (stage) => openOrder(stage, 'unpaid', 'Unpaid'),
    Processing: (stage) => openOrder(stage, 'processing', 'Processing'),
    Paid: (stage) => openOrder(stage, 'paid', 'Paid'),
    Fulfilled: (stage) => openOrder(stage, 'fulfilled', 'Fulfilled'),
    'Fulfilled, E Points': (stage) => openOrder(stage, 'points', 'Fulfilled'),
    Refunded: (stage) => openOrder(stage, 'refunded', 'Refunded'),
    'Payment failed': (stage) => openOrder(stage, 'late', 'Payment failed'),
    loading: async (stage) => {
      const { fulfilled } = await stage.orders();
      await stage.hold(/\/api\/payment\/order\/detail/);
      await open(stage, orderAddress(fulfilled));
    },
    'no such order': async (stage) => {
      await open(stage, orderAddress('019a0000-0000-7000-8000-000000000000'));
      await says(stage, 'Payment order number is wrong');
    },
  }),
  ...screensOf('Receipt', 'aveline', {
    paid: (stage) => openReceipt(stage, 'fulfilled'),
    refunded: (stage) => openReceipt(stage, 'refunded'),
    'not paid': async (stage) => {
      const { unpaid } = await stage.orders();
      await open(stage, `/main/recharge/receipt/${unpaid}`);
      await says(stage, 'This order has not been paid');
    },
  }),
];
