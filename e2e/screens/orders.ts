import { expect } from '@playwright/test';
import { endTimeToPay } from '../../tools/stack/test-state.ts';
import { patienceMs } from './inspection.ts';
import type { OrdersByState, TestPage } from './screen.ts';

// Orders are made through the portal; the provider and the game determine their outcome.

export const orderAddress = (paymentId: string) => `/main/recharge/detail/${paymentId}`;

/**
 * Makes an order in every state. The last one plans a fault in the game that affects all later
 * orders.
 */
export async function makeOrders(testPage: TestPage): Promise<OrdersByState> {
  const { shop } = testPage;
  // Different packs, because ordering the same pack again resumes the unpaid order.
  const unpaid = await order(testPage, { pack: /^60 /, press: expire });
  const late = await order(testPage, { pack: /^980 /, press: expire });
  await shows(testPage, late, 'Unpaid');
  await endTimeToPay(shop.addresses.databaseUrl, late);
  const processing = await order(testPage, { pack: /^1,980 / });
  const points = await order(testPage, { path: pointsPath, pack: /^1,000/, press: pay });
  const fulfilled = await order(testPage, { press: pay });
  await shows(testPage, fulfilled, 'Fulfilled');
  const limited = await order(testPage, { pack: /Starter/, press: pay });
  await shows(testPage, limited, 'Fulfilled');
  await fail(testPage, { kind: 'decline', reason: 'limit_reached' });
  const refunded = await order(testPage, { press: pay });
  await shows(testPage, refunded, 'Refunded');
  await fail(testPage, { kind: 'http500_before', times: 10_000 });
  const paid = await order(testPage, { press: pay });
  return { unpaid, late, processing, fulfilled, points, limited, refunded, paid };
}

/** Opens an order and waits until its page shows this status. */
async function shows(
  { page, shop }: Pick<TestPage, 'page' | 'shop'>,
  paymentId: string,
  status: string,
): Promise<void> {
  await page.goto(shop.portal(orderAddress(paymentId)));
  await waitForStatus(page, status);
}

/** Waits until the page shows this status; it updates itself. */
export async function waitForStatus(page: TestPage['page'], status: string): Promise<void> {
  await expect(page.getByRole('status').first()).toContainText(status, { timeout: patienceMs });
}

const pointsPath = '/main/recharge?to=epoint';
const expire = /Expire the session/;
const pay = /^Pay \$/;

interface WantedOrder {
  pack?: RegExp;
  path?: string;
  /** The button to press on the provider's page; without it the session stays open. */
  press?: RegExp;
}

/** Orders a pack and answers the payment id. */
async function order(
  { page, shop }: TestPage,
  { pack = /^300 /, path = '/main/recharge', press }: WantedOrder,
): Promise<string> {
  await page.goto(shop.portal(path));
  await shop.payFor(page, pack);
  const back = await page.getByRole('link', { name: 'Back to the shop' }).getAttribute('href');
  const [paymentId] = /[\da-f-]{36}/.exec(back ?? '') ?? [];
  if (paymentId === undefined) throw new Error(`The provider's link back names no order: ${back}`);
  if (press !== undefined) {
    const others = page.getByText('More outcomes');
    await others.click();
    await page.getByRole('button', { name: press }).click();
    await expect(others).toBeHidden();
  }
  return paymentId;
}

/** Plans a fault for the game's next deliveries. */
async function fail({ shop }: TestPage, fault: object): Promise<void> {
  await shop.game.tell('/__sandbox/faults', { call: 'recharge.deliver', ...fault });
}
