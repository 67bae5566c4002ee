import { expect } from '@playwright/test';
import { endTimeToPay } from '../../tools/stack/scene.ts';
import type { Stage } from './screen.ts';

// Orders are made as players make them; what becomes of them is up to the provider and the game.

export const orderAddress = (paymentId: string) => `/main/recharge/detail/${paymentId}`;

/** Orders a pack and ends on the provider's page. Answers the payment id. */
export async function order(
  { page, shop }: Stage,
  { pack = /^300 Shards/, path = '/main/recharge' }: { pack?: RegExp; path?: string } = {},
): Promise<string> {
  await page.goto(shop.portal(path));
  await shop.payFor(page, pack);
  const back = await page.getByRole('link', { name: 'Back to the shop' }).getAttribute('href');
  const [paymentId] = /[\da-f-]{36}/.exec(back ?? '') ?? [];
  if (paymentId === undefined) throw new Error(`No order to come back to: ${back}`);
  return paymentId;
}

/** Orders a pack, does something on the provider's page, and waits until the order says so. */
async function orderAnd(
  stage: Stage,
  { press, until, ...wish }: { pack?: RegExp; path?: string; press: RegExp; until: string },
): Promise<string> {
  const { page, shop } = stage;
  const paymentId = await order(stage, wish);
  await page.getByText('More outcomes').click();
  await page
    .getByRole('link', { name: press })
    .or(page.getByRole('button', { name: press }))
    .click();
  await page.goto(shop.portal(orderAddress(paymentId)));
  await expect(page.getByRole('status').first()).toContainText(until, { timeout: 45_000 });
  return paymentId;
}

/** Orders a pack and lets the provider's page go by: the order waits to be paid. */
export function leaveUnpaid(stage: Stage): Promise<string> {
  return orderAnd(stage, { press: /Expire the session/, until: 'Unpaid' });
}

/** The same, until it is too late to pay. */
export async function leaveTooLong(stage: Stage): Promise<string> {
  const { page, shop } = stage;
  const paymentId = await leaveUnpaid(stage);
  await endTimeToPay(shop.addresses.databaseUrl, paymentId);
  await expect(page.getByRole('status').first()).toContainText('Payment failed', {
    timeout: 90_000,
  });
  return paymentId;
}

/** Pays for a pack and has it. */
export function buy(stage: Stage, pack?: RegExp): Promise<string> {
  const outcome = { press: /^Pay \$/, until: 'Fulfilled' };
  return orderAnd(stage, pack === undefined ? outcome : { ...outcome, pack });
}

/** Buys E Points and has them. */
export function buyPoints(stage: Stage): Promise<string> {
  const path = '/main/recharge?to=epoint';
  return orderAnd(stage, { path, pack: /^1,000/, press: /^Pay \$/, until: 'Fulfilled' });
}

/** Pays for a pack, and the game does this with it. */
export async function buyWhile(
  stage: Stage,
  { fault, until }: { fault: object; until: string },
): Promise<string> {
  await stage.shop.game.tell('/__sandbox/faults', { call: 'recharge.deliver', ...fault });
  return await orderAnd(stage, { press: /^Pay \$/, until });
}
