import { randomBytes } from 'node:crypto';
import { linkToPage, pages, siteKindOf } from '@pointgate/contract/pages.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { registerAnalyticsRoutes } from '../analytics/analytics.routes.ts';
import { type AnalyticsContext, keyOfNewDevice, openAnalytics } from '../analytics/analytics.ts';
import { registerBulletinRoutes } from '../catalogue/bulletins/bulletins.routes.ts';
import { registerCatalogueRoutes } from '../catalogue/catalogue.routes.ts';
import { openCatalogue } from '../catalogue/catalogue.ts';
import { keepServerReport } from '../catalogue/server-status.ts';
import { openPageMethods, registerCheckoutRoutes } from '../checkout/checkout.routes.ts';
import type { CheckoutDraft } from '../checkout/checkout.ts';
import { registerOrderRoutes } from '../checkout/orders.routes.ts';
import { openCodeHash } from '../checkout/redeem/code-text.ts';
import { registerRedeemRoutes } from '../checkout/redeem/redeem.routes.ts';
import { registerSupportRoutes } from '../checkout/support/support.routes.ts';
import { registerCharacterRoutes } from '../delivery/characters/characters.routes.ts';
import { chosenRole } from '../delivery/characters/characters.ts';
import { queueDelivery, queueRevocation } from '../delivery/delivery.ts';
import { openCaseOfState } from '../money/cases/cases.ts';
import type { OrderEffects } from '../money/orders/order-effects.ts';
import type { Order } from '../money/orders/orders.ts';
import { registerWebhookRoutes } from '../money/payments/payments.routes.ts';
import type { PaymentsContext } from '../money/payments/payments.ts';
import { registerPointsRoutes } from '../money/points/points.routes.ts';
import { queueRefund, settleRefund } from '../money/refunds/refunds.ts';
import { knownContractAt } from '../money/routing/contracts.ts';
import { openHealthValues, openProviderHealth } from '../money/routing/provider-health.ts';
import type { RoutingContext } from '../money/routing/routing.ts';
import { openConditions, type PurchaseConditions } from '../offers/conditions/conditions.ts';
import { registerCouponRoutes } from '../offers/coupons/coupons.routes.ts';
import { type GiftRulesFor, keepGiftRules } from '../offers/promotions/kept-gift-rules.ts';
import { registerPromotionRoutes } from '../offers/promotions/promotions.routes.ts';
import { countForRebates, previewGifts, previewRebates } from '../offers/promotions/promotions.ts';
import {
  registerAccountRoutes,
  rememberDevice,
  sessionTokenOf,
  setSessionCookie,
} from '../people/accounts/accounts.routes.ts';
import { accountOfSession, sessionKeyOf, sessionsTopic } from '../people/accounts/accounts.ts';
import { registerCodeRoutes } from '../people/accounts/codes.routes.ts';
import { type CredentialChecks, openCredentialChecks } from '../people/accounts/credentials.ts';
import { registerOwnAccountRoutes } from '../people/accounts/own-account.routes.ts';
import { openSealedBodies } from '../people/accounts/sealed-body.ts';
import { registerSessionRoutes } from '../people/accounts/sessions.routes.ts';
import { registerArrivalRoutes } from '../people/arrivals/arrivals.routes.ts';
import { type ArrivalSite, arrive, jwksUrlOf } from '../people/arrivals/arrivals.ts';
import { openGameTokens } from '../people/arrivals/game-token.ts';
import {
  browserOf,
  registerIdentityRoutes,
  rememberBrowser,
} from '../people/identity/identity.routes.ts';
import {
  createIdentityMethods,
  hasWechatScan,
  type IdentityContext,
  openIdentity,
} from '../people/identity/identity.ts';
import { openMessages } from '../people/messages/messages.ts';
import { openNoticeTokens } from '../people/notices/notice-token.ts';
import { registerNoticeRoutes } from '../people/notices/notices.routes.ts';
import { type NoticesContext, tellOwner } from '../people/notices/notices.ts';
import { requirePasskey, requireProof, requireStepUp } from '../people/passkeys/gates.ts';
import { registerPasskeyRoutes } from '../people/passkeys/passkeys.routes.ts';
import { beginReview, reviewFor } from '../people/passkeys/reviews.ts';
import { registerPrivacyRoutes } from '../people/privacy/privacy.routes.ts';
import { maskEmail, maskPhone } from '../people/real-names/masks.ts';
import { registerPeopleRoutes } from '../people/real-names/real-names.routes.ts';
import { openPeople, type PeopleContext } from '../people/real-names/real-names.ts';
import { openSession, type Session } from '../platform/connections.ts';
import { type Db, openDb, openRawExecutor, type Tx } from '../platform/db.ts';
import { type CallSite, createHttp } from '../platform/http.ts';
import { type Jobs, openJobs } from '../platform/jobs.ts';
import { type Live, openLive } from '../platform/live.ts';
import { log } from '../platform/log.ts';
import { openPlayerBounds, type PlayerBounds } from '../platform/player-bounds.ts';
import { openContentChanges } from '../platform/versioned-cache.ts';
import { openGames } from '../publisher/games/games.ts';
import { type Secrets, signingSecretOf } from '../publisher/secrets/secrets.ts';
import { knownSite, openSites, type Sites } from '../publisher/sites/sites.ts';
import { conditionsOf } from './conditions.ts';
import { registerHealthRoutes } from './health.routes.ts';
import { type MerchantAccounts, openMerchantAccounts } from './merchant-accounts.ts';
import { messagesOf } from './outside.ts';
import { registerPortal } from './portal-files.ts';
import { openAllSecrets, tokenKeysOf } from './secret-kinds.ts';
import type { Config } from './settings.ts';
import { registerTimeRoute } from './time.routes.ts';

/** All parts, wired once; the api and the worker each start their own. */
export interface Shop {
  config: Config;
  db: Db;
  jobs: Jobs;
  live: Live;
  secrets: Secrets;
  sites: Sites;
  catalogue: ReturnType<typeof openCatalogue>;
  giftRules: GiftRulesFor;
  games: ReturnType<typeof openGames>;
  effects: OrderEffects;
  isTestMoney(takers: readonly string[]): Promise<boolean>;
  merchantAccounts: MerchantAccounts;
  people: PeopleContext;
  analytics: AnalyticsContext;
  identity: IdentityContext;
  checks: CredentialChecks;
  notices: NoticesContext;
  bounds: PlayerBounds;
  conditions: PurchaseConditions<CheckoutDraft>;
  payments: PaymentsContext;
  routing: RoutingContext;
  /** Set when the process is told to stop, so that it reports not ready. */
  stopping: { isStopping: boolean };
  /** A connection of its own, for work that reads for a long time. */
  openSession(): Promise<Session>;
  close(): Promise<void>;
}

declare module '../platform/operator-action.ts' {
  interface OperatorParts extends Shop {}
}

export function connectionOf(config: Config, role: 'api' | 'worker') {
  return {
    url: config.DATABASE_URL,
    applicationName: `pointgate-${role}`,
    waitSeconds: config.DATABASE_WAIT_SECONDS,
  };
}

export async function openShop(config: Config, role: 'api' | 'worker'): Promise<Shop> {
  log.level = config.LOG_LEVEL;
  const connection = connectionOf(config, role);
  const db = openDb({ ...connection, connectionsMax: config.DATABASE_CONNECTIONS });
  const executor = openRawExecutor({ ...connection, connectionsMax: role === 'api' ? 2 : 5 });
  const pollMs = config.WORKER_POLL_SECONDS * 1000;
  const jobs = await openJobs(executor, { supervise: role === 'worker', pollMs });
  const live = await openLive(config.REDIS_URL);
  const news = openContentChanges(connection);
  const secrets = openAllSecrets(config, db, news);
  const isRehearsal = config.APP_ENV === 'rehearsal';
  const merchantAccounts = openMerchantAccounts(config, { db, secrets });
  const { providers } = merchantAccounts;
  const healthValues = openHealthValues(config.REDIS_URL, config.DATABASE_URL);
  const health = openProviderHealth(healthValues);
  const sites = openSites(db, news);
  const people = openPeople({ keys: config.PERSON_KEYS, indexKey: config.PERSON_INDEX_KEY });
  const conditions = openConditions(conditionsOf(people));
  const effects: OrderEffects = {
    takeAgain: conditions.takeAgain,
    onPaid: (tx, order, how) => queueDelivery(tx, jobs, order, how),
    onRefundRequested: (tx, order, refund) =>
      queueRefund(tx, { jobs, checkSeconds: config.PAYMENT_CHECK_SECONDS }, { order, refund }),
    onRefundSettled: settleRefund,
    onRefunded: conditions.giveBack,
    onTakenBack: (tx, order) => queueRevocation(tx, jobs, order),
    onClosed: conditions.release,
    onKept: countForRebates,
    onMoved: ({ paymentId }) => live.announce(paymentId),
  };
  const messages = openMessages(messagesOf(config));
  // A shop that sends no codes has nothing to hash.
  const pepper = config.CODE_PEPPER ?? randomBytes(32).toString('hex');
  const checks = await openCredentialChecks({
    db,
    messages,
    redisUrl: config.REDIS_URL,
    pepper,
    indexKey: config.IDENTITY_INDEX_KEY,
    cipher: people.cipher,
    countries: config.SMS_COUNTRIES,
    textsPerDayMax: config.SMS_PER_DAY_MAX,
    textsUnansweredMax: config.SMS_UNANSWERED_MAX,
    knownPasswordsFile: config.BREACHED_PASSWORDS_FILE,
    now: Date.now,
  });
  const bounds = openPlayerBounds(checks.quickLimits, {
    unpaidOrders: config.UNPAID_ORDERS_MAX,
    paymentCallsPerHour: config.PAYMENT_CALLS_MAX,
    gameCallsInFiveMinutes: config.GAME_CALLS_MAX,
  });
  const analytics = openAnalytics({
    db,
    masters: config.ANALYTICS_KEYS,
    days: config.ANALYTICS_DAYS,
    megabytesPerDay: config.ANALYTICS_MB_PER_DAY,
    redisUrl: config.REDIS_URL,
    now: Date.now,
  });
  return {
    config,
    db,
    jobs,
    live,
    secrets,
    sites,
    catalogue: openCatalogue(db, news),
    giftRules: keepGiftRules(db, news),
    games: openGames({
      secretsOf: (gameId) => secrets.of(signingSecretOf(gameId)),
      isSandbox: async () => (await merchantAccounts.testAccounts()).size > 0,
      isRehearsal,
    }),
    effects,
    // Points bought with test money cannot be told apart from others.
    isTestMoney: async (takers) => {
      const tests = await merchantAccounts.testAccounts();
      return takers.some((taker) => (taker === 'epoint' ? tests.size > 0 : tests.has(taker)));
    },
    merchantAccounts,
    people,
    analytics,
    identity: openIdentity({
      db,
      settings: config,
      siteOf: (siteId) => knownSite(sites, siteId),
    }),
    checks,
    notices: {
      db,
      jobs,
      messages,
      cipher: people.cipher,
      tokens: openNoticeTokens(pepper),
      siteOf: (siteId) => knownSite(sites, siteId),
    },
    bounds,
    conditions,
    payments: {
      db,
      jobs,
      providers,
      effects,
      health,
      bounds,
      beforePayment: conditions.holdForPayment,
      returnUrlOf: (order) => returnUrlOf(sites, order),
      contractAt: async ({ site_id, method }) =>
        method === 'epoint'
          ? undefined
          : await knownContractAt(providers, await knownSite(sites, site_id), method),
      checkSeconds: config.PAYMENT_CHECK_SECONDS,
    },
    routing: { db, providers, health },
    stopping: { isStopping: false },
    openSession: () => openSession(connection),
    close: async () => {
      await healthValues.close();
      await checks.close();
      await analytics.close();
      await jobs.close();
      await live.close();
      await news.close();
      await executor.close();
      await db.close();
    },
  };
}

export async function createApi(shop: Shop): Promise<FastifyInstance> {
  const { config, db, sites } = shop;
  const app = await createHttp({
    trustProxy: config.TRUST_PROXY,
    countryHeader: config.COUNTRY_HEADER,
    loggedSource: config.LOG_SOURCE,
    siteOf: (host) => sites.byHost(host),
    authenticate: async (request, site) => {
      const token = sessionTokenOf(request, site);
      if (token === undefined) return 'none';
      const userAgent = request.headers['user-agent'] ?? '';
      const account = await accountOfSession(db, { token, siteId: site.siteId, userAgent });
      return account === 'ended' ? 'ended' : { ...account, siteId: site.siteId };
    },
  });
  const arrivals = {
    db,
    readGameToken: openGameTokens({
      keysOf: (gameId) => tokenKeysOf(shop.secrets, gameId),
      jwksUrlOf: (gameId) => jwksUrlOf(db, gameId),
      now: Date.now,
    }),
    secretsOf: shop.secrets.of,
    onManyNewPlayers: (tx: Tx, { gameId, inOneMinute }: { gameId: string; inOneMinute: number }) =>
      openCaseOfState(tx, { kind: 'many_new_players', subject: gameId, details: { inOneMinute } }),
    siteOf: async (siteId: string): Promise<ArrivalSite> => await knownSite(sites, siteId),
    now: Date.now,
  };
  const sealedBodies = await openSealedBodies(config.LOGIN_KEYS);
  const sessionsChanged = (accountId: string) => shop.live.announce(sessionsTopic(accountId));
  // Sets the cookie of a new session; the account's older session on this site has ended.
  const giveSession: typeof setSessionCookie = (reply, site, token) => {
    setSessionCookie(reply, site, token);
    sessionsChanged(sessionKeyOf(token, site.siteId).accountId);
  };
  registerTimeRoute(app);
  registerHealthRoutes(app, shop);
  registerAccountRoutes(app, {
    db,
    sealedBodies,
    methods: { ...shop.checks.methods, ...createIdentityMethods(shop.identity) },
    quickLimits: shop.checks.quickLimits,
    siteOf: (siteId) => knownSite(sites, siteId),
    browserOf,
    giveSession,
    sessionsChanged,
    arrive: async ({ siteId, ...arrival }) =>
      await arrive(arrivals, { ...arrival, site: await arrivals.siteOf(siteId) }),
    now: Date.now,
  });
  const tell = (tx: Tx, change: Parameters<typeof tellOwner>[2]) =>
    tellOwner(tx, shop.notices, change);
  const titleOf = async (siteId: string) => (await knownSite(sites, siteId)).title;
  registerSessionRoutes(app, { db, titleOf, sessionsChanged });
  registerCodeRoutes(app, {
    checks: shop.checks,
    onReset: async (tx, reset) => {
      await tell(tx, reset);
      const review = await beginReview(tx, reset.accountId);
      return review === undefined ? null : await reviewFor(review, titleOf);
    },
    sealedBodies,
    titleOf,
    browserOf,
    rememberBrowser,
    sessionsChanged,
  });
  registerCatalogueRoutes(app, {
    ...shop,
    giftsOf: (asker, items) => previewGifts(db, asker, items, shop.giftRules),
    rebatesOf: (asker, items) => previewRebates(db, asker, items),
    chosenRoleOf: (key) => chosenRole(shop, key),
  });
  registerBulletinRoutes(app, { db, now: Date.now });
  registerSupportRoutes(app, { db, sites, secrets: config.CRM_SECRETS ?? {}, now: Date.now });
  registerCharacterRoutes(app, shop);
  const checkout = { ...shop, countryHeader: config.COUNTRY_HEADER };
  registerCheckoutRoutes(app, checkout);
  registerOrderRoutes(app, shop);
  registerPointsRoutes(app, shop);
  registerPromotionRoutes(app, shop);
  registerRedeemRoutes(app, {
    ...shop,
    limits: shop.checks.quickLimits,
    // Without the key the shop has made no codes, so any key will do.
    hashOf: openCodeHash(config.REDEEM_CODE_KEY ?? randomBytes(32)),
  });
  registerCouponRoutes(app, shop);
  const passkeys = {
    db,
    siteOf: (siteId: string) => knownSite(sites, siteId),
    quickLimits: shop.checks.quickLimits,
    signedIn: shop.checks.guard.succeeded,
    tellOwner: tell,
    now: Date.now,
  };
  const sessionOf = (request: FastifyRequest, site: CallSite) =>
    sessionKeyOf(sessionTokenOf(request, site), site.siteId);
  const inSession = (require: typeof requireProof) => (request: FastifyRequest, site: CallSite) =>
    require(shop, { session: sessionOf(request, site), site });
  registerPeopleRoutes(app, { ...shop, requireStepUp: inSession(requireStepUp) });
  registerPrivacyRoutes(app, { ...shop, sessionsChanged, requireProof: inSession(requireProof) });
  registerOwnAccountRoutes(app, {
    checks: shop.checks,
    sealedBodies,
    tellOwner: tell,
    masks: { EMAIL: maskEmail, MOBILE: maskPhone },
    titleOf,
    requireProof: inSession(requireProof),
    requirePasskey: inSession(requirePasskey),
    giveSession,
  });
  registerPasskeyRoutes(app, {
    passkeys,
    sessionOf,
    setSessionCookie: giveSession,
    browserOf,
    rememberBrowser,
    rememberDevice,
  });
  registerNoticeRoutes(app, shop.notices);
  registerIdentityRoutes(app, { ...shop, setSessionCookie: giveSession });
  registerArrivalRoutes(app, { ...arrivals, people: shop.people, keepServerReport });
  registerWebhookRoutes(app, shop.payments);
  registerAnalyticsRoutes(app, {
    ...shop.analytics,
    brandOf: async (siteId) => (await knownSite(sites, siteId)).brandId,
  });
  await registerPortal(app, {
    sites,
    folder: config.PORTAL_DIR,
    isRehearsal: config.APP_ENV === 'rehearsal',
    methodsOf: openPageMethods(checkout),
    loggerKeyOf: (siteId) => keyOfNewDevice(shop.analytics, siteId),
    hasWechatScan: (wechatAppId) => hasWechatScan(shop.identity, wechatAppId),
  });
  return app;
}

async function returnUrlOf(sites: Sites, order: Order): Promise<string> {
  const site = await knownSite(sites, order.site_id);
  const { path } = pages[siteKindOf(site.domainType)].order;
  return linkToPage(site.portalUrl, path, { paymentId: order.payment_id }).href;
}
