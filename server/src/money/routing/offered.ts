import type { CurrencyCode } from '@pointgate/contract/money.ts';
import { PaymentMethod } from '@pointgate/contract/orders.ts';
import { methodProviders } from '../psp/methods.ts';
import type { Capabilities, PaymentScene } from '../psp/psp.ts';

/** Why a player does not see a method. */
export type RouteRefusal =
  | 'not_at_this_site'
  | 'not_in_this_country'
  /** Points are never bought with points. */
  | 'points_for_points'
  | 'no_contract'
  | 'not_in_this_currency'
  /** It does not work where the player is: inside WeChat, for example. */
  | 'not_in_this_scene'
  /** WeChat does not know the player yet, or not as who the contract knows players by. */
  | 'no_open_id'
  | 'switched_off'
  | 'failing';

/** Where whoever pays is. */
export interface Place {
  scene: PaymentScene;
  /** The application that WeChat has told the player's open id to; none as long as it has not. */
  openIdApp: string | null;
  /** Nobody knows, where it says nothing. */
  country: string | null;
}

export interface RouteQuestion {
  site: {
    methods: readonly PaymentMethod[];
    methodCountries: Readonly<Partial<Record<PaymentMethod, readonly string[]>>>;
  };
  kind: 'item' | 'points';
  /** What the site would charge in. */
  currency: CurrencyCode;
  place: Place;
}

/** What can change from one moment to the next. */
export interface Conditions {
  /** For points, too: the shop takes them itself. */
  hasContract: (method: PaymentMethod) => boolean;
  /** Whose open ids the contract takes. */
  openIdAppOf: (method: PaymentMethod) => string | undefined;
  isSwitchedOff: (method: PaymentMethod) => boolean;
  isFailing: (method: PaymentMethod) => boolean;
}

export interface Route {
  /** In the order of the site. */
  offered: PaymentMethod[];
  /** What a switch or a failure alone keeps away; it comes back. In the order of the site. */
  out: PaymentMethod[];
  /** All that is not offered, each with the first reason that is found. */
  refused: { method: PaymentMethod; reason: RouteRefusal }[];
}

/** Which methods a player can pay with. Lists and orders ask the same question here. */
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

/** What lasts is said before what passes. */
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

/** A method that is bound to countries is not offered to somebody of whom nobody knows where they are. */
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
  // Outside of WeChat nobody has to be known there: a code is scanned, or the app opened.
  const isStranger = place.scene === 'wechat' && place.openIdApp !== openIdApp;
  return needsOpenId && isStranger ? 'no_open_id' : null;
}
