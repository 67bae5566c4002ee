import type { FastifyInstance } from 'fastify';
import type { PlannedFrom } from './fault-plan.ts';
import type { Common } from './provider.ts';
import { refundPlanReader } from './refund-plan.ts';
import { controlBody, queryText } from './requests.ts';
import { flag, object, optional, type Reader, whole } from './shape.ts';
import { releaseHeldSends, resetClock } from './webhook-plan.ts';

const clockBody = object({ advanceSeconds: optional(whole), reset: optional(flag) });
const recordsMax = 100_000;

/** The control API common to all payment providers: clock, faults and reset. */
export function registerCommonControl<Sent extends { times: number | undefined }, P, S>(
  app: FastifyInstance,
  provider: Common<PlannedFrom<Sent>, P, S>,
  input: {
    service: string;
    /** Additional fields of the health answer. */
    health?: () => object;
    faultReader: Reader<Sent>;
    webhookPlanReader: Reader<P>;
    settlementPlanReader: Reader<S>;
    overview: () => string;
    records: (limit: number) => object;
    /** Clears the provider-specific plans. */
    reset?: () => void;
    /** Expires whatever has reached its end by the sandbox clock. */
    before?: () => void;
  },
): void {
  const { before = () => {}, health = () => ({}) } = input;
  app.get('/__sandbox', (_request, reply) =>
    reply.type('text/html; charset=utf-8').send(input.overview()),
  );
  app.get('/__sandbox/health', () => ({ ok: true, service: input.service, ...health() }));
  app.get('/__sandbox/records', (request) => {
    before();
    const limit = Number(queryText(request, 'limit') ?? 1000);
    return input.records(Math.min(Math.max(Math.trunc(limit) || 1, 1), recordsMax));
  });
  app.get('/__sandbox/faults', () => ({ faults: provider.faults.list() }));
  app.post('/__sandbox/faults', (request) => {
    const { times = 1, ...fault } = controlBody(request, input.faultReader);
    provider.faults.add({ ...fault, times });
    return { faults: provider.faults.list() };
  });
  app.post('/__sandbox/release', () => {
    provider.hanging.letGo();
    return { ok: true };
  });
  app.post('/__sandbox/clock', (request) => {
    const body = controlBody(request, clockBody);
    if (body.reset === true) resetClock(provider);
    provider.clock.advance(body.advanceSeconds ?? 0);
    before();
    return { now: provider.clock.nowSeconds() };
  });
  app.post('/__sandbox/refunds', (request) => {
    const { times = 1, ...plan } = controlBody(request, refundPlanReader);
    provider.refundPlan.add({ ...plan, times });
    return { plans: provider.refundPlan.list() };
  });
  app.post('/__sandbox/settlement', (request) => {
    provider.settlementPlan = controlBody(request, input.settlementPlanReader);
    return { plan: provider.settlementPlan };
  });
  app.post('/__sandbox/reset', () => {
    provider.faults.clear();
    provider.plan = input.webhookPlanReader({}, 'plan');
    provider.refundPlan.clear();
    provider.settlementPlan = input.settlementPlanReader({}, 'plan');
    input.reset?.();
    resetClock(provider);
    releaseHeldSends(provider);
    return { ok: true };
  });
}
