import { expect } from '@playwright/test';
import { buy, buyWhile, leaveTooLong, leaveUnpaid, order, orderAddress } from './orders.ts';
import { open, type Stage, screensOf } from './screen.ts';

/** Opens an order that is made by the first screen to need it. */
async function openOrder(
  stage: Stage,
  name: string,
  make: () => Promise<string>,
  addressOf = orderAddress,
): Promise<void> {
  const paymentId = await stage.once(name, make);
  await open(stage, addressOf(paymentId));
  await expect(stage.page.getByRole('heading', { level: 1 })).toBeVisible();
  await stage.quiet();
}

const fulfilled = (stage: Stage) => () => buy(stage);
const receiptAddress = (paymentId: string) => `/main/recharge/receipt/${paymentId}`;

export const orderScreens = [
  ...screensOf('Order', 'aveline', {
    Unpaid: (stage) => openOrder(stage, 'unpaid', () => leaveUnpaid(stage)),
    Processing: (stage) => openOrder(stage, 'processing', () => order(stage)),
    'Payment failed': (stage) => openOrder(stage, 'failed', () => leaveTooLong(stage)),
    Paid: {
      arrange: (stage) =>
        openOrder(stage, 'paid', () =>
          buyWhile(stage, { fault: { kind: 'http500_before', times: 20 }, until: 'Paid' }),
        ),
      tidyUp: ({ shop }) => shop.game.tell('/__sandbox/reset', {}),
    },
    Fulfilled: (stage) => openOrder(stage, 'fulfilled', fulfilled(stage)),
    Refunded: (stage) =>
      openOrder(stage, 'refunded', () =>
        buyWhile(stage, {
          fault: { kind: 'decline', times: 1, reason: 'limit_reached' },
          until: 'Refunded',
        }),
      ),
    loading: async (stage) => {
      const paymentId = await stage.once('fulfilled', fulfilled(stage));
      await stage.hold(/\/api\/payment\/order\/detail/);
      await open(stage, orderAddress(paymentId));
    },
    'no such order': async (stage) => {
      await open(stage, orderAddress('019a0000-0000-7000-8000-000000000000'));
      await expect(stage.page.getByText('Payment order number is wrong')).toBeVisible();
    },
  }),
  ...screensOf('Receipt', 'aveline', {
    paid: (stage) => openOrder(stage, 'fulfilled', fulfilled(stage), receiptAddress),
    refunded: (stage) =>
      openOrder(
        stage,
        'refunded',
        () =>
          buyWhile(stage, {
            fault: { kind: 'decline', times: 1, reason: 'limit_reached' },
            until: 'Refunded',
          }),
        receiptAddress,
      ),
  }),
];
