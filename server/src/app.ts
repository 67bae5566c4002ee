import type { FastifyInstance } from 'fastify';
import { registerAccountRoutes, sessionTokenOf } from './accounts/accounts.routes.ts';
import { accountOfSession, forgetOldEnvelopes } from './accounts/accounts.ts';
import { openSealedBodies } from './accounts/sealed-body.ts';
import { registerCatalogueRoutes } from './catalogue/catalogue.routes.ts';
import { openCatalogue } from './catalogue/catalogue.ts';
import { registerCharacterRoutes } from './characters/characters.routes.ts';
import { registerCheckoutRoutes } from './checkout/checkout.routes.ts';
import type { Config } from './config.ts';
import {
  deliverOrderJob,
  deliveryWorks,
  queueDelivery,
  sweepDeliveries,
} from './delivery/delivery.ts';
import { openGames } from './games/games.ts';
import type { Order, OrderEffects } from './orders/orders.ts';
import {
  checkAttemptJob,
  expireOrderJob,
  paymentWorks,
  processWebhookJob,
  sweepAttempts,
  sweepExpired,
} from './payments/payments.jobs.ts';
import { registerWebhookRoutes } from './payments/payments.routes.ts';
import type { PaymentsContext } from './payments/payments.ts';
import { type Db, openDb, openRawExecutor } from './platform/db.ts';
import { createHttp } from './platform/http.ts';
import { type Jobs, openJobs } from './platform/jobs.ts';
import { type Live, openLive } from './platform/live.ts';
import { log } from './platform/log.ts';
import { ensurePartitions } from './platform/partitions.ts';
import { repeatEvery } from './platform/schedule.ts';
import { registerPortal } from './portal-files.ts';
import { openStripe } from './psp/stripe.ts';
import { knownSite, openSites, type Sites } from './sites/sites.ts';
import { registerTimeRoute } from './time.routes.ts';

/** Every kind of job there is; migrate.ts makes a queue for each. */
export const jobKinds = [processWebhookJob, checkAttemptJob, expireOrderJob, deliverOrderJob];

/** All parts, wired once; the api and the worker each start what is theirs. */
export interface Shop {
  config: Config;
  db: Db;
  jobs: Jobs;
  live: Live;
  sites: Sites;
  catalogue: ReturnType<typeof openCatalogue>;
  games: ReturnType<typeof openGames>;
  effects: OrderEffects;
  payments: PaymentsContext;
  close(): Promise<void>;
}

export async function openShop(config: Config, role: 'api' | 'worker'): Promise<Shop> {
  log.level = config.LOG_LEVEL;
  const connection = { url: config.DATABASE_URL, applicationName: `pointgate-${role}` };
  const db = openDb({ ...connection, connectionsMax: config.DATABASE_CONNECTIONS });
  const executor = openRawExecutor({ ...connection, connectionsMax: role === 'api' ? 2 : 5 });
  const jobs = await openJobs(executor, { supervise: role === 'worker' });
  const live = await openLive(config.REDIS_URL);
  const sites = openSites(db);
  const effects: OrderEffects = {
    onPaid: (tx, order) => queueDelivery(tx, jobs, order),
    onMoved: ({ paymentId }) => live.announce(paymentId),
  };
  const stripe = openStripe({
    secretKey: config.STRIPE_SECRET_KEY,
    webhookSecrets: config.STRIPE_WEBHOOK_SECRETS,
    apiBase: config.STRIPE_API_BASE,
  });
  return {
    config,
    db,
    jobs,
    live,
    sites,
    catalogue: openCatalogue(db),
    games: openGames({
      secrets: config.GAME_SECRETS,
      isSandbox: config.APP_ENV !== 'production',
    }),
    effects,
    payments: {
      db,
      jobs,
      providers: new Map([[stripe.name, stripe]]),
      effects,
      returnUrlOf: (order) => returnUrlOf(sites, order),
      checkSeconds: config.PAYMENT_CHECK_SECONDS,
    },
    close: async () => {
      await jobs.close();
      await live.close();
      await executor.close();
      await db.close();
    },
  };
}

export async function createApi(shop: Shop): Promise<FastifyInstance> {
  const { config, db, sites, catalogue } = shop;
  const app = await createHttp({
    trustProxy: config.TRUST_PROXY,
    siteOf: (host) => sites.byHost(host),
    authenticate: async (request, site) => {
      const token = sessionTokenOf(request, site);
      if (token === undefined) return 'none';
      const account = await accountOfSession(db, { token, siteId: site.siteId });
      return account === 'ended' ? 'ended' : { ...account, siteId: site.siteId };
    },
  });
  registerTimeRoute(app);
  registerAccountRoutes(app, {
    db,
    sealedBodies: await openSealedBodies(config.LOGIN_KEYS),
    gameOf: async (siteId) => (await knownSite(sites, siteId)).gameId,
    now: Date.now,
  });
  registerCatalogueRoutes(
    app,
    catalogue,
    async (siteId) => (await knownSite(sites, siteId)).currency,
  );
  registerCharacterRoutes(app, shop);
  registerCheckoutRoutes(app, shop);
  registerWebhookRoutes(app, shop.payments);
  await registerPortal(app, { sites, folder: config.PORTAL_DIR });
  return app;
}

const sweepEveryMs = 1_000;
const housekeepEveryMs = 60 * 60_000;

/** Takes jobs and sweeps the tables until the answered function is called. */
export function startWork(shop: Shop): () => Promise<void> {
  const stopJobs = shop.jobs.work(shop.db, [
    ...paymentWorks(shop.payments),
    ...deliveryWorks(shop),
  ]);
  const stops = [
    repeatEvery({ name: 'sweep_attempts', everyMs: sweepEveryMs }, () =>
      sweepAttempts(shop.payments),
    ),
    repeatEvery({ name: 'sweep_expired', everyMs: sweepEveryMs }, () =>
      sweepExpired(shop.payments),
    ),
    // What it looks for is two hours old: there is no hurry.
    repeatEvery({ name: 'sweep_deliveries', everyMs: 60_000 }, () => sweepDeliveries(shop)),
    repeatEvery({ name: 'housekeeping', everyMs: housekeepEveryMs }, async () => {
      await ensurePartitions(shop.db);
      await forgetOldEnvelopes(shop.db);
    }),
  ];
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
    await stopJobs();
  };
}

async function returnUrlOf(sites: Sites, order: Order): Promise<string> {
  const site = await knownSite(sites, order.site_id);
  const path =
    site.domainType === 0
      ? `/main/recharge/detail/${order.payment_id}`
      : `/dream/order/detail?paymentId=${order.payment_id}`;
  return new URL(path, site.portalUrl).href;
}
