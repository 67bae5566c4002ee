import { expect, type Page } from '@playwright/test';
import { z } from 'zod';
import { collectPath } from '../contract/src/analytics.ts';
import { dumpDatabase } from '../tools/evidence/database.ts';
import { readLogs } from '../tools/evidence/logs.ts';
import type { Stack } from '../tools/stack/start-stack.ts';
import { operate } from './operate.ts';
import { choosePack, type Shop, test } from './shop.ts';

const pack = /^300 Shards/;

const Exported = z.object({
  id: z.string(),
  name: z.string(),
  site_id: z.string(),
  device_id: z.string(),
  session_id: z.string(),
  session_index: z.int(),
  params: z.record(z.string(), z.unknown()),
});
const Funnel = z.object({
  arrivals: z.int(),
  logins: z.int(),
  topUps: z.int(),
  created: z.int(),
  paid: z.int(),
  fulfilled: z.int(),
});

test('[S7.36] analytics record a visit from arrival to delivery completely, once and without personal data', async ({
  page,
  shop,
  stack,
}) => {
  const sent = watchBatches(page);
  const ticket = await shop.ticketOf('ga_aveline');
  const day = new Date().toISOString().slice(0, 10);
  await page.goto(shop.portal(`/main/home?ticket=${ticket}&from=game`));
  await page.getByRole('link', { name: 'Top-up', exact: true }).first().waitFor();
  const device = await deviceOf(page);
  await look(page);
  await page.getByRole('link', { name: 'Top-up', exact: true }).first().click();
  await shop.chooseCharacter(page);
  await choosePack(page, pack);
  await look(page);
  await shop.payFor(page, pack);
  const paymentId = await shop.approve(page);
  await expect(page.getByRole('status').first()).toContainText('Fulfilled');
  await look(page);
  // Events of a page that stays open are sent every ten seconds.
  const collected = page.waitForResponse((response) => response.url().endsWith(collectPath));
  await page.getByRole('button', { name: 'Refresh' }).click();
  await collected;
  await look(page);
  await page.close({ runBeforeUnload: true });

  const told = await expectEvents(stack, device, (events) =>
    events.some(
      ({ params }) => params.page === '/main/recharge/detail/id' && 'page_duration' in params,
    ),
  );
  const of = (name: string) =>
    told.filter((event) => event.name === `web_payment_${name}`).map(({ params }) => params);
  expect(of('login_result')).toEqual([
    { page: '/main/home', type: 'ARRIVAL', region: 'US', result: 'success' },
  ]);
  expect(of('user_info')).toEqual([{ traffic_source: 'game', link: '/' }]);
  // Once on arrival, and once on the return from the provider.
  expect(of('page_load')).toHaveLength(2);
  for (const load of of('page_load')) {
    expect(Number(load.loading_time)).toBeGreaterThan(Number(load.loading_request_time));
  }
  const stays = of('page_stay').map(({ page: path }) => path);
  expect(new Set(stays)).toEqual(
    new Set(['/main/home', '/main/recharge', '/main/recharge/detail/id']),
  );
  expect(of('click_button')).toEqual([
    { page: '/main/recharge', button: 'change-role' },
    { page: '/main/recharge', button: 'choose-role' },
    { page: '/main/recharge', button: 'pay' },
    { page: '/main/recharge/detail/id', button: 'refresh' },
  ]);
  expect(of('show_pop').length).toBeGreaterThan(0);

  await isTakenWhole(stack, device);
  await isTakenOnce(stack, shop, { device, sent, told });
  const cookies = (await page.context().cookies()).map(({ value }) => value);
  const secrets = [ticket, paymentId, 'aveline', 'ga_', 'example.com', '+1202', ...cookies];
  isWithout(JSON.stringify(told) + sent.join(), secrets);
  await isInFunnel(stack, day);
});

test('analytics events recorded while the browser is offline are sent later', async ({
  page,
  shop,
  stack,
}) => {
  await page.goto(shop.portal('/login'));
  const device = await deviceOf(page);
  await page.context().setOffline(true);
  const form = page.getByRole('button', { name: 'Sign in', exact: true });
  await form.click();
  await look(page);
  await page.context().setOffline(false);
  await page.getByLabel('Password', { exact: true }).waitFor();
  await expectEvents(stack, device, (events) =>
    events.some(({ params }) => params.button === 'sign-in'),
  );
});

type Event = z.output<typeof Exported>;

/** Waits longer than the minimum duration of a stay. */
async function look(page: Page): Promise<void> {
  const since = await page.evaluate(() => performance.now());
  await page.waitForFunction((start) => performance.now() - start > 2_200, since);
}

/** The device id in the browser's local storage. */
async function deviceOf(page: Page): Promise<string> {
  const kept = await page.waitForFunction(() => localStorage.getItem('pointgate.device'));
  return z.object({ did: z.uuid() }).parse(JSON.parse(String(await kept.jsonValue()))).did;
}

/** Records the batches that the browser sends to the collector, as far as Playwright sees them. */
function watchBatches(page: Page): string[] {
  const sent: string[] = [];
  page.on('request', (request) => {
    const body = request.postData();
    if (request.url().endsWith(collectPath) && body !== null) sent.push(body);
  });
  return sent;
}

/** The exported events of one device, in the order of the visit. */
async function eventsOf(stack: Stack, device: string): Promise<Event[]> {
  const { status, output } = await operate(stack, ['export-events']);
  expect(status).toBe(0);
  return output
    .split('\n')
    .filter((line) => line.includes(device))
    .map((line) => Exported.parse(JSON.parse(line)))
    .toSorted((one, other) => one.session_index - other.session_index);
}

/** Waits until all events have arrived: batches may arrive out of order. */
async function expectEvents(
  stack: Stack,
  device: string,
  isComplete: (events: Event[]) => boolean,
): Promise<Event[]> {
  let events: Event[] = [];
  await expect(async () => {
    events = await eventsOf(stack, device);
    isWhole(events);
    expect(isComplete(events)).toBe(true);
  }).toPass({ timeout: 60_000 });
  return events;
}

/** Checks for one session without gaps and without duplicate events. */
function isWhole(told: readonly Event[]): void {
  expect(new Set(told.map(({ session_id }) => session_id)).size).toBe(1);
  expect(new Set(told.map(({ id }) => id)).size).toBe(told.length);
  expect(told.map(({ session_index }) => session_index)).toEqual([...told.keys()]);
}

/** Checks that no event was quarantined and no batch was refused. */
async function isTakenWhole(stack: Stack, device: string): Promise<void> {
  const tables = await dumpDatabase(stack.databaseUrl);
  const aside = tables.filter(({ name }) => name.startsWith('table analytics.quarantine'));
  expect(aside.length).toBeGreaterThan(0);
  for (const { text } of aside) expect(text).not.toContain(device);
  for (const { text } of await readLogs(stack.home))
    expect(text).not.toContain('refused a batch of events');
}

/** Checks that repeated batches are accepted and change nothing. */
async function isTakenOnce(
  stack: Stack,
  shop: Shop,
  { device, sent, told }: { device: string; sent: readonly string[]; told: readonly Event[] },
): Promise<void> {
  expect(sent.length).toBeGreaterThan(0);
  for (const body of sent) {
    const again = await fetch(shop.portal(collectPath), { method: 'POST', body });
    expect(again.status).toBe(204);
  }
  expect(await eventsOf(stack, device)).toEqual(told);
}

function isWithout(text: string, secrets: readonly string[]): void {
  expect(secrets.every((secret) => secret.length > 2)).toBe(true);
  for (const secret of secrets) expect(text.toLowerCase()).not.toContain(secret.toLowerCase());
}

async function isInFunnel(stack: Stack, day: string): Promise<void> {
  const { output } = await operate(stack, ['funnel', 'solmere', day]);
  for (const [step, count] of Object.entries(Funnel.parse(JSON.parse(output)))) {
    expect(count, step).toBeGreaterThan(0);
  }
}
