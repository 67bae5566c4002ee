import type { CurrencyCode, Money } from '@pointgate/contract/money.ts';
import type { PaymentMethod } from '@pointgate/contract/orders.ts';
import type { SiteConfig } from '@pointgate/contract/site-config.ts';
import { cachedFor } from '../../platform/cache.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { AppError } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import { log } from '../../platform/log.ts';
import type { UnusableRow } from '../../platform/readable-rows.ts';
import type { Site } from '../../publisher/sites/sites.ts';
import { chargeRefusal, methodProviders } from '../psp/methods.ts';
import { contractAt, contractNamed, type KnownContracts } from './contracts.ts';
import { type Conditions, type Place, type Route, routeMethods } from './offered.ts';
import type { ProviderHealth } from './provider-health.ts';
import { insertSwitch, readSwitches, type SwitchRow, selectSwitches } from './routing.queries.ts';

/** The dependencies of routing, created once in app.ts. */
export interface RoutingContext {
  db: Db;
  /** By contract name; providers without a contract are missing. */
  providers(): Promise<KnownContracts>;
  health: ProviderHealth;
}

interface Question {
  site: Site;
  kind: 'item' | 'points';
  currency: CurrencyCode;
  place: Place;
}

/** The methods that the player can use now, and the reasons against the others. */
export async function routeNow(routing: RoutingContext, question: Question): Promise<Route> {
  return routeMethods(question, await conditionsAt(routing, question.site));
}

/**
 * Throws if the method is not offered. Called when an order is placed and when a payment begins.
 */
export async function requireMethod(
  routing: RoutingContext,
  method: PaymentMethod,
  question: Question,
): Promise<void> {
  const { refused } = await routeNow(routing, question);
  const refusal = refused.find((each) => each.method === method);
  if (refusal !== undefined) refuse(method, refusal.reason);
}

/** Throws if the provider does not support the amount. */
export function requireChargeable(method: PaymentMethod, money: Money): void {
  if (method === 'epoint') return;
  const refusal = chargeRefusal(money, methodProviders[method].capabilities);
  if (refusal !== null) refuse(method, refusal);
}

/**
 * Lets one payment at a time try a failing provider. Throws for all others, so that they do not
 * wait for a timeout.
 */
export async function takeTurn(
  { health }: Pick<RoutingContext, 'health'>,
  method: PaymentMethod,
  site: Pick<Site, 'contracts'>,
): Promise<void> {
  if (method === 'epoint') return;
  if (!(await health.mayCall(contractNamed(site, method)))) refuse(method, 'failing');
}

function refuse(method: PaymentMethod, reason: string): never {
  log.info({ paymentMethod: method, reason }, 'a method that is not offered was requested');
  throw new AppError('MethodUnavailable');
}

/** The methods that a page gets when it loads, for all currencies of the site. */
export type ShownMethods = Pick<SiteConfig, 'methods' | 'methodsOut'>;

/** Cached for a second, because every visitor asks. */
export function openShownMethods(routing: RoutingContext) {
  const conditionsOf = cachedFor(1_000, async (site: Site) => conditionsAt(routing, site));
  return async (site: Site, place: Omit<Place, 'openIdApp'>): Promise<ShownMethods> => {
    const conditions = await conditionsOf(site);
    // Before the sign-in the site's own application is assumed, as it will request the open id.
    return shownAt(site, { ...place, openIdApp: site.wechatAppId }, conditions);
  };
}

function shownAt(site: Site, place: Place, conditions: Conditions): ShownMethods {
  const routes = site.currencies.map((currency) =>
    routeMethods({ site, kind: 'item', currency, place }, conditions),
  );
  const inAny = (each: 'offered' | 'out') => {
    const methods = new Set(routes.flatMap((route) => route[each]));
    return site.methods.filter((method) => methods.has(method));
  };
  return { methods: inAny('offered'), methodsOut: inAny('out') };
}

async function conditionsAt(
  routing: RoutingContext,
  site: Pick<Site, 'siteId' | 'methods' | 'contracts'>,
): Promise<Conditions> {
  const { db, health } = routing;
  const money = site.methods.filter((method) => method !== 'epoint');
  const [switches, known, ...standings] = await Promise.all([
    selectSwitches(db),
    routing.providers(),
    ...money.map((method) => health.standing(contractNamed(site, method))),
  ]);
  const failing = money.filter((_method, index) => standings[index] === 'failing');
  const off = switches.filter(({ site_id, is_on }) => !is_on && isFor(site.siteId, site_id));
  return {
    hasContract: (method) => method === 'epoint' || contractAt(known, site, method) !== undefined,
    openIdAppOf: (method) =>
      method === 'epoint' ? undefined : known.get(contractNamed(site, method))?.openIdApp,
    isSwitchedOff: (method) => off.some((each) => each.method === method),
    isFailing: (method) => failing.some((each) => each === method),
  };
}

function isFor(siteId: string, switchedAt: string | null): boolean {
  return switchedAt === null || switchedAt === siteId;
}

/**
 * Switches a method on or off for payments that begin after the commit. Every call adds a record.
 */
export async function switchMethod(
  tx: Tx,
  turned: {
    method: PaymentMethod;
    /** Null means all sites. */
    siteId: string | null;
    isOn: boolean;
    by: string;
    reason: string;
    at: Date;
  },
): Promise<void> {
  await insertSwitch(tx, { id: newId(), ...turned });
}

export async function unusableSwitches(db: Db): Promise<UnusableRow[]> {
  return (await readSwitches(db)).unusable;
}

/** The state of the methods for operators. Failing providers are unknown while Redis is down. */
export async function listMethods(routing: RoutingContext, sites: readonly Site[]) {
  const isKnown = await routing.health.isKnown();
  const switches = await selectSwitches(routing.db);
  const atSites = await Promise.all(
    sites.map(async (site) => {
      const conditions = await conditionsAt(routing, site);
      return site.methods.map((method) => {
        const state = stateOf(method, { site, conditions });
        const off = switches.filter((each) => isOffAt(each, { method, site }));
        const contract = method === 'epoint' ? null : contractNamed(site, method);
        return { siteId: site.siteId, method, contract, state, switchedOff: off.map(toSwitch) };
      });
    }),
  );
  const providers = await Promise.all(
    [...(await routing.providers())].map(async ([contract, { provider }]) => {
      const { out } = await routing.health.of(contract);
      return {
        contract,
        provider,
        isFailing: isKnown ? out !== null : null,
        because: out?.because ?? null,
        since: out === null ? null : new Date(out.since),
        nextTrialAt: out === null ? null : new Date(out.retryAt),
      };
    }),
  );
  return { methods: atSites.flat(), providers };
}

function isOffAt(
  turned: SwitchRow,
  { method, site }: { method: PaymentMethod; site: Site },
): boolean {
  return !turned.is_on && turned.method === method && isFor(site.siteId, turned.site_id);
}

function toSwitch({ site_id, by, reason, at }: SwitchRow) {
  return { where: site_id ?? 'everywhere', by, reason, since: at };
}

/**
 * The state for a desktop player, in any currency and country of the site in which it is offered.
 */
function stateOf(
  method: PaymentMethod,
  { site, conditions }: { site: Site; conditions: Conditions },
): string {
  const countries = site.methodCountries[method] ?? [site.priceCountry];
  const reasons = site.currencies.flatMap((currency) =>
    countries.map((country) => {
      const place: Place = { scene: 'desktop', openIdApp: null, country };
      const { refused } = routeMethods({ site, kind: 'item', currency, place }, conditions);
      return refused.find((each) => each.method === method)?.reason ?? 'offered';
    }),
  );
  const lasting = reasons.filter((reason) => reason !== 'not_in_this_currency');
  return reasons.find((reason) => reason === 'offered') ?? lasting[0] ?? 'not_in_this_currency';
}
