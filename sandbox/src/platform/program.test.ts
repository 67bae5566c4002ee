import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { givenRecharge, startGame } from '../../test/game.ts';
import { startProgram } from '../../test/programs.ts';
import { startReceiver } from '../../test/receiver.ts';
import { startSms } from '../../test/sms.ts';
import { givenPaidSession, givenSessionParams, startStripe } from '../../test/stripe.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sandbox-'));
});
afterAll(async () => await rm(folder, { recursive: true }));

test.each([
  ['stripe', startStripe],
  ['game', startGame],
  ['mail', () => startProgram('mail', {})],
  ['sms', startSms],
])('the %s sandbox exits with code 0 on SIGTERM', async (_service, start) => {
  const program = await start();
  program.process.kill('SIGTERM');

  expect(await once(program.process, 'exit')).toEqual([0, null]);
});

test('a sandbox program exits with code 0 when its standard input closes', async () => {
  const game = await startGame();
  game.process.stdin?.destroy();

  expect(await once(game.process, 'exit')).toEqual([0, null]);
});

test('a hanging request does not keep a sandbox program from exiting on SIGTERM', async () => {
  const stripe = await startStripe();
  const match = 'POST /v1/checkout/sessions';
  await stripe.tell('/__sandbox/faults', { match, kind: 'hang', hangMs: 600_000 });
  const hanging = stripe.sdk.checkout.sessions.create(givenSessionParams());
  const failed = expect(hanging).rejects.toMatchObject({ type: 'StripeConnectionError' });
  await expect.poll(async () => (await stripe.records()).requests).toBe(1);

  stripe.process.kill('SIGTERM');

  expect(await once(stripe.process, 'exit')).toEqual([0, null]);
  await failed;
});

test('the Stripe sandbox keeps payments and unsent webhooks when it is killed and restarted', async () => {
  const DATA_FILE = join(folder, 'stripe.sqlite');
  const receiver = await startReceiver();
  receiver.failNext(1);
  const before = await startStripe({
    DATA_FILE,
    WEBHOOK_URL: receiver.url,
    WEBHOOK_RETRY_BASE_MS: '3600000',
  });
  await before.tell('/__sandbox/webhooks', { enabledEvents: ['checkout.session.completed'] });
  const { sessionId } = await givenPaidSession(before);
  await expect.poll(() => receiver.received.length).toBe(1);
  before.process.kill('SIGKILL');
  await once(before.process, 'exit');

  const after = await startStripe({ DATA_FILE, WEBHOOK_URL: receiver.url });
  try {
    expect((await after.sdk.checkout.sessions.retrieve(sessionId)).payment_status).toBe('paid');
    await after.tell('/__sandbox/clock', { advanceSeconds: 7200 });
    await expect.poll(() => receiver.received.length).toBe(2);
  } finally {
    await after.stop();
    await receiver.stop();
  }
});

test('the game sandbox keeps its deliveries when it is killed and restarted', async () => {
  const DATA_FILE = join(folder, 'game.sqlite');
  const body = givenRecharge();
  const before = await startGame({ DATA_FILE });
  await before.call('recharge.deliver', body);
  before.process.kill('SIGKILL');
  await once(before.process, 'exit');

  const after = await startGame({ DATA_FILE });
  try {
    expect(await after.call('recharge.deliver', body)).toMatchObject({
      body: { result: 'already_delivered' },
    });
    expect(await after.grants(body.paymentId)).toHaveLength(1);
  } finally {
    await after.stop();
  }
});

test('a malformed call to the control API of a sandbox is refused with the reason', async () => {
  const game = await startGame();
  try {
    const sent = game.tell('/__sandbox/faults', { call: 'recharge.deliver', kind: 'explode' });
    await expect(sent).rejects.toThrow('body.kind must be one of http500_before');
  } finally {
    await game.stop();
  }
});
