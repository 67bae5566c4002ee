import type { FastifyInstance } from 'fastify';
import type { Clock } from './clock.ts';
import type { Database } from './database.ts';
import { controlBody } from './requests.ts';
import { atLeast, listOf, name, object, optional, type Reader, text } from './shape.ts';
import { releaseHeldSends, type SendPlan } from './webhook-plan.ts';

type Sender<P> = {
  db: Database;
  clock: Clock;
  plan: P;
  settings: { webhookUrl: string | undefined };
};

/** Webhooks of a provider with subscribed event types and exponential retry delays. */
export function registerSubscribedWebhooks<P extends SendPlan>(
  app: FastifyInstance,
  provider: Sender<P> & {
    settings: { enabledEvents: readonly string[]; webhookRetryBaseMs: number };
  },
  planReader: Reader<P>,
): void {
  const subscription = object({
    url: optional(text),
    plan: optional(planReader),
    enabledEvents: optional(listOf(name)),
    retryBaseMs: optional(atLeast(1)),
  });
  app.post('/__sandbox/webhooks', (request) => {
    const { enabledEvents, retryBaseMs, ...sent } = controlBody(request, subscription);
    const { settings } = provider;
    if (enabledEvents !== undefined) settings.enabledEvents = enabledEvents;
    if (retryBaseMs !== undefined) settings.webhookRetryBaseMs = retryBaseMs;
    return { ...taken(provider, sent), enabledEvents: settings.enabledEvents };
  });
}

/** Webhooks of a provider that sends all events and retries on a fixed schedule. */
export function registerScheduledWebhooks<P extends SendPlan>(
  app: FastifyInstance,
  provider: Sender<P> & { settings: { retrySeconds: readonly number[] } },
  planReader: Reader<P>,
): void {
  const schedule = object({
    url: optional(text),
    plan: optional(planReader),
    /** Replaces the provider's retry schedule. */
    retrySeconds: optional(listOf(atLeast(0))),
  });
  app.post('/__sandbox/webhooks', (request) => {
    const { retrySeconds, ...sent } = controlBody(request, schedule);
    if (retrySeconds !== undefined) provider.settings.retrySeconds = retrySeconds;
    return taken(provider, sent);
  });
}

function taken<P extends SendPlan>(
  provider: Sender<P>,
  { url, plan }: { url: string | undefined; plan: P | undefined },
): { url: string | null; plan: P } {
  if (url !== undefined) provider.settings.webhookUrl = url === '' ? undefined : url;
  if (plan !== undefined) provider.plan = plan;
  if (provider.plan.reorder !== true) releaseHeldSends(provider);
  return { url: provider.settings.webhookUrl ?? null, plan: provider.plan };
}
