import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  type AdyenProgram,
  givenPaid,
  hmacKeys,
  openMessage,
  startAdyen,
} from '../../test/adyen.ts';
import { startReceiver } from '../../test/receiver.ts';

let adyen: AdyenProgram;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
beforeAll(async () => {
  adyen = await startAdyen();
});
beforeEach(async () => {
  await adyen.tell('/__sandbox/reset');
  receiver = await startReceiver();
  await adyen.tell('/__sandbox/webhooks', { url: receiver.url });
});
afterEach(async () => {
  await adyen.tell('/__sandbox/webhooks', { url: '' });
  await receiver.stop();
});
afterAll(() => adyen.stop());

const plan = (more: object) => adyen.tell('/__sandbox/webhooks', { plan: more });
const arrived = (count: number) => expect.poll(() => receiver.received.length).toBe(count);
/** Events held back for a minute become due together, however far apart they happened. */
const together = { batch: 6, delayMs: 60_000 };
const minuteLater = () => adyen.tell('/__sandbox/clock', { advanceSeconds: 60 });
const codes = () =>
  receiver.received.flatMap((message) => openMessage(message).items.map((item) => item.eventCode));

test('the Adyen sandbox sends webhooks with signed events that the Adyen SDK verifies', async () => {
  const { pspReference, session } = await givenPaid(adyen);
  await arrived(2);
  const [first, second] = receiver.received.map((message) => openMessage(message));
  const items = [...(first?.items ?? []), ...(second?.items ?? [])];
  expect(first?.live).toBe('false');
  expect(items.map(({ eventCode }) => eventCode).sort()).toEqual(['AUTHORISATION', 'CAPTURE']);
  expect(items.find(({ eventCode }) => eventCode === 'AUTHORISATION')).toMatchObject({
    pspReference,
    merchantReference: session.reference,
    success: 'true',
    amount: { value: 499, currency: 'USD' },
  });
});

test('the Adyen sandbox sends payment events that are due at the same time in one webhook', async () => {
  await plan(together);
  await givenPaid(adyen);
  await minuteLater();
  await arrived(1);
  expect(codes()).toEqual(['AUTHORISATION', 'CAPTURE']);
});

test('the Adyen sandbox signs a webhook with the HMAC key chosen by the control API, and not with the other key', async () => {
  await plan({ key: 1, ...together });
  await givenPaid(adyen);
  await minuteLater();
  await arrived(1);
  const [message] = receiver.received;
  if (message === undefined) throw new Error('no webhook arrived');
  expect(openMessage(message, hmacKeys[1]).items).toHaveLength(2);
  expect(() => openMessage(message)).toThrow('bad signature');
});

test.each([{ tamper: true }, { wrongSecret: true }])(
  'a webhook that the Adyen sandbox sends with the planned fault %o fails signature verification',
  async (how) => {
    await plan({ ...how, ...together });
    await givenPaid(adyen);
    await minuteLater();
    await arrived(1);
    expect(codes).toThrow('bad signature');
  },
);

test('the Adyen sandbox retries a refused webhook on the retry schedule of Adyen', async () => {
  await plan(together);
  receiver.failNext(3);
  await givenPaid(adyen);
  await minuteLater();
  await arrived(1);
  const refused = async () =>
    (await adyen.records()).webhookDeliveries.filter(({ outcome }) => outcome === 'refused');
  for (const [times, seconds] of [9, 18, 27].entries()) {
    await expect.poll(refused).toHaveLength(2 * (times + 1));
    await adyen.tell('/__sandbox/clock', { advanceSeconds: seconds });
    await arrived(times + 2);
  }
  await expect
    .poll(async () => (await adyen.records()).webhookDeliveries.slice(0, 2))
    .toMatchObject([
      { outcome: 'delivered', attempt: 4 },
      { outcome: 'delivered', attempt: 4 },
    ]);
  expect(await adyen.get('/__sandbox/acknowledged')).toMatchObject({
    acknowledged: expect.arrayContaining([expect.objectContaining({ type: 'AUTHORISATION' })]),
  });
});

test('the Adyen sandbox drops, duplicates and reorders webhook events when its control API is told to', async () => {
  await plan({ drop: 1, duplicate: 1 });
  await givenPaid(adyen);
  await arrived(2);
  expect(codes()).toEqual(['CAPTURE', 'CAPTURE']);
  receiver.received.length = 0;
  await plan({ reorder: true });
  await givenPaid(adyen);
  await arrived(2);
  expect(codes()).toEqual(['CAPTURE', 'AUTHORISATION']);
});
