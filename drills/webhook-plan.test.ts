import { expect, onTestFinished, test, vi } from 'vitest';
import { type ProviderEvent, signWebhook } from './forgeries.ts';
import { randomOf } from './random.ts';
import { planWebhooks } from './webhook-plan.ts';

const events: ProviderEvent[] = Array.from({ length: 900 }, (_, index) => ({
  id: `evt_${index}`,
  type: 'charge.succeeded',
  paymentId: `order-${Math.floor(index / 3)}`,
  text: `{ "id": "evt_${index}", "amount": 499 }`,
}));
const inventedEvents = [{ id: 'evt_x', type: 'charge.succeeded', paymentId: 'unpaid', text: '{}' }];
const { sends, ordersWithoutEvents } = planWebhooks(events, inventedEvents, randomOf('7'));

test('the webhook plan of a drill omits all webhooks of one order in a hundred and sends every other one to four times', () => {
  expect(ordersWithoutEvents.size).toBe(3);
  const genuine = sends.filter(({ kind }) => kind === 'genuine');
  const times = Map.groupBy(genuine, ({ event }) => event.id);
  expect(times.size).toBe(900 - 9);
  expect(genuine.some(({ event }) => ordersWithoutEvents.has(event.paymentId))).toBe(false);
  const counts = [...times.values()].map(({ length }) => length);
  expect(new Set(counts)).toEqual(new Set([1, 2, 3, 4]));
});

test('one tenth of the webhooks in the plan of a drill are forged, and one tenth are stale', () => {
  const tenth = sends.length / 10;
  const stale = sends.filter(({ kind }) => kind === 'stale').length;
  const forged = sends.filter(({ kind }) => kind !== 'stale' && kind !== 'genuine').length;
  expect(Math.abs(stale - tenth)).toBeLessThan(2);
  expect(Math.abs(forged - tenth)).toBeLessThan(2);
});

test('the webhooks that a drill forges differ from genuine ones in body or signature, and its stale ones in the timestamp', () => {
  vi.useFakeTimers({ now: 1_700_000_000_000 });
  onTestFinished(() => void vi.useRealTimers());
  const [event, other] = events;
  if (event === undefined || other === undefined) throw new Error('no events');
  const letter = (kind: (typeof sends)[number]['kind']) =>
    signWebhook({ event, kind }, { secret: 's', others: [event, other], random: randomOf('7') });
  const genuine = letter('genuine');

  expect(letter('changed byte').body.equals(genuine.body)).toBe(false);
  expect(letter('wrong secret').body.equals(genuine.body)).toBe(true);
  expect(letter('wrong secret').signature).toMatch(/^t=1700000000,v1=[0-9a-f]{64}$/);
  expect(letter('wrong secret').signature).not.toBe(genuine.signature);
  expect(letter('body of another').signature).not.toBe(genuine.signature);
  expect(letter('stale').signature).not.toMatch(/^t=1700000000,/);
});
