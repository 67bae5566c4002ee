import type { CurrencyCode } from '@pointgate/contract/money.ts';
import { PaymentMethod } from '@pointgate/contract/orders.ts';
import { methodProviders } from '../psp/methods.ts';
import type { Capabilities, PaymentScene } from '../psp/psp.ts';

/** The reason why a method is not offered. */
export type RouteRefusal =
  | 'not_at_this_site'
  | 'not_in_this_country'
  /** Points cannot be bought with points. */
  | 'points_for_points'
  | 'no_contract'
  | 'not_in_this_currency'
  /** The method does not work in the player's environment, for example inside WeChat. */
  | 'not_in_this_scene'
  /** The player has no open id, or one of another application than the contract's. */
  | 'no_open_id'
  | 'switched_off'
  | 'failing';

/** The environment of the player. */
export interface Place {
  scene: PaymentScene;
  /** The application of the player's open id; null if no open id is known. */
  openIdApp: string | null;
  /** Null if unknown. */
  country: string | null;
}

export interface RouteQuestion {
  site: {
    methods: readonly PaymentMethod[];
    methodCountries: Readonly<Partial<Record<PaymentMethod, readonly string[]>>>;
  };
  kind: 'item' | 'points';
  /** The currency that the site would charge. */
  currency: CurrencyCode;
  place: Place;
}

/** Conditions that may change at any time. */
export interface Conditions {
  /** Always true for points, which the shop takes itself. */
  hasContract: (method: PaymentMethod) => boolean;
  /** The application whose open ids the contract accepts. */
  openIdAppOf: (method: PaymentMethod) => string | undefined;
  isSwitchedOff: (method: PaymentMethod) => boolean;
  isFailing: (method: PaymentMethod) => boolean;
}

export interface Route {
  /** In the order of the site. */
  offered: PaymentMethod[];
  /** Methods that only a switch or a failing provider disables, in the order of the site. */
  out: PaymentMethod[];
  /** All methods that are not offered, each with its first reason. */
  refused: { method: PaymentMethod; reason: RouteRefusal }[];
}

/** The methods with which a player can pay, used by lists and by orders alike. */
export function routeMethods(question: RouteQuestion, conditions: Conditions): Route {
  const { methods } = question.site;
  const judged = [...new Set([...methods, ...PaymentMethod.options])].map((method) => ({
    method,
    reason: refusalOf(method, question, conditions),
  }));
  const methodsOf = (reasons: readonly (RouteRefusal | null)[]) =>
    judged.flatMap(({ method, reason }) => (reasons.includes(reason) ? [method] : []));
  return {
    offered: methodsOf([null]),
    out: methodsOf(['switched_off', 'failing']),
    refused: judged.flatMap(({ method, reason }) => (reason === null ? [] : [{ method, reason }])),
  };
}

/** Permanent reasons are returned before temporary ones. */
function refusalOf(
  method: PaymentMethod,
  { site, kind, currency, place }: RouteQuestion,
  conditions: Conditions,
): RouteRefusal | null {
  if (!site.methods.includes(method)) return 'not_at_this_site';
  if (!isInCountry(site.methodCountries[method], place.country)) return 'not_in_this_country';
  if (method === 'epoint' && kind === 'points') return 'points_for_points';
  if (!conditions.hasContract(method)) return 'no_contract';
  if (method !== 'epoint') {
    const { capabilities } = methodProviders[method];
    const openIdApp = conditions.openIdAppOf(method);
    const impossible = impossibleFor({ capabilities, openIdApp }, { currency, place });
    if (impossible !== null) return impossible;
  }
  if (conditions.isSwitchedOff(method)) return 'switched_off';
  return conditions.isFailing(method) ? 'failing' : null;
}

/** A method limited to countries is not offered if the player's country is unknown. */
function isInCountry(countries: readonly string[] | undefined, country: string | null): boolean {
  return countries === undefined || (country !== null && countries.includes(country));
}

function impossibleFor(
  { capabilities, openIdApp }: { capabilities: Capabilities; openIdApp: string | undefined },
  { currency, place }: Pick<RouteQuestion, 'currency' | 'place'>,
): RouteRefusal | null {
  const { currencies, scenes, needsOpenId } = capabilities;
  if (currencies[currency] === undefined) return 'not_in_this_currency';
  if (!scenes.includes(place.scene)) return 'not_in_this_scene';
  // Outside of WeChat no open id is needed: a code is scanned or the app is opened.
  const isStranger = place.scene === 'wechat' && place.openIdApp !== openIdApp;
  return needsOpenId && isStranger ? 'no_open_id' : null;
}
