import type { PriceLine } from '@pointgate/contract/documents/prices.ts';
import { currencyDecimals, type PriceUnit, pointsUnit } from '@pointgate/contract/money.ts';
import { chargeComplaints, isTakenAt, type SellingSite } from '../catalogue/price-list.ts';
import { anyCountry, type PriceRule } from '../catalogue/prices.ts';
import { isPolicyPack, policyPackNames } from '../people/real-names/policies/policies.ts';
import { nearestNames } from '../platform/nearest-names.ts';
import { checkOffers } from './check-offers.ts';
import type { FolderReader } from './folder-reader.ts';
import type { Document, Place, Said } from './places.ts';
import { minorIn, pricesOf, ruleTerms, sellingSite } from './shop-amounts.ts';
import type { ShopFolder } from './shop-documents.ts';

/** Adds to the complaints of the reader what the documents of a shop say against each other. */
export function checkShop(reader: FolderReader, shop: ShopFolder): void {
  checkIds(reader, shop);
  checkSites(reader, shop);
  for (const game of shop.games) {
    if (shop.isDemo || game.value.apiUrl !== undefined) continue;
    reader.complain(
      game.at([]),
      'is missing: write where the game is called, such as https://game.example',
      'apiUrl',
    );
  }
  checkPrices(reader, shop);
  checkOffers(reader, shop);
}

type Named = Document<unknown>;

function checkIds(reader: FolderReader, shop: ShopFolder): void {
  const goods: Named[] = [...shop.games.flatMap(({ items }) => items), ...shop.packs];
  for (const { servers } of shop.games) complainOfTwins(reader, servers, 'id');
  complainOfTwins(reader, goods, 'id');
  complainOfTwins(reader, shop.coupons, 'templateId');
  complainOfTwins(
    reader,
    shop.sites.flatMap(({ news }) => news),
    'id',
  );
  complainOfTwins(
    reader,
    shop.sites.flatMap(({ promotions }) => partsOf(promotions, 'campaigns', 'campaignId')),
    'campaignId',
  );
  complainOfTwins(
    reader,
    shop.sites.flatMap(({ promotions }) => partsOf(promotions, 'giftRules', 'ruleId')),
    'ruleId',
  );
  const rules = shop.priceRules.map((rule) => ({ ...rule, id: rule.value.currency }));
  complainOfTwins(reader, rules, 'currency');
}

/** The entries of a list in a document, each with its id. */
function partsOf<List extends string, Id extends string>(
  said: Said<Readonly<Record<List, readonly Readonly<Record<Id, string>>[]>>> | undefined,
  list: List,
  field: Id,
): Named[] {
  if (said === undefined) return [];
  return said.value[list].map((value, index) => ({
    value,
    id: value[field],
    at: (path = []) => said.at([list, index, ...path]),
  }));
}

function complainOfTwins(reader: FolderReader, documents: readonly Named[], field: string): void {
  const seen = new Map<string, Place>();
  for (const { id, at } of documents) {
    const place = at([field]);
    const first = seen.get(id);
    if (first === undefined) seen.set(id, place);
    else
      reader.complain(
        place,
        `"${id}" is there twice, first at ${first.file}:${first.line}: write another`,
        field,
      );
  }
}

function checkSites(reader: FolderReader, { sites, games, isDemo }: ShopFolder): void {
  const gameIds = games.map(({ id }) => id);
  const hosts: Named[] = [];
  for (const site of sites) {
    const { value, at } = site;
    hosts.push(
      ...(value.hosts ?? []).map((host, index) => ({
        id: host,
        value: host,
        at: () => at(['hosts', index]),
      })),
    );
    const sold = value.gameId === undefined ? [] : [{ id: value.gameId, path: ['gameId'] }];
    const all = (value.gameIds ?? []).map((id, index) => ({ id, path: ['gameIds', index] }));
    for (const { id, path } of [...sold, ...all]) {
      if (gameIds.includes(id)) continue;
      reader.complain(at(path), unknown('game', id, gameIds), path.join('.'));
    }
    if (value.subdomain !== undefined && !isDemo) {
      reader.complain(
        at(['subdomain']),
        'is for demos: write hosts, such as [shop.example]',
        'subdomain',
      );
    }
    if (!isPolicyPack(value.policyPack)) {
      reader.complain(
        at(['policyPack']),
        unknown('policy pack', value.policyPack, policyPackNames),
        'policyPack',
      );
    }
    const twin = value.otherCurrencies.indexOf(value.currency);
    if (twin >= 0) {
      reader.complain(
        at(['otherCurrencies', twin]),
        `${value.currency} is the currency of the site already: remove it here`,
        'otherCurrencies',
      );
    }
  }
  complainOfTwins(reader, hosts, 'hosts');
}

function unknown(what: string, id: string, known: readonly string[]): string {
  const [nearest] = nearestNames(id, known);
  const instead = nearest === undefined ? `there are ${known.join(', ')}` : `write ${nearest}`;
  return `there is no ${what} "${id}": ${instead}`;
}

interface PricedGoods {
  goods: readonly Named[];
  prices: readonly Said<PriceLine>[];
  /** Null for packs of E Points. */
  gameId: string | null;
}

function checkPrices(reader: FolderReader, shop: ShopFolder): void {
  const sites = shop.sites.map(sellingSite);
  const rules = shop.priceRules.flatMap((rule) => checkedRule(reader, rule) ?? []);
  const tables: PricedGoods[] = [
    ...shop.games.map(({ id, items, prices }) => ({ goods: items, prices, gameId: id })),
    { goods: shop.packs, prices: shop.packPrices, gameId: null },
  ];
  for (const table of tables) {
    const lines = checkedLines(reader, table, sites);
    const goods = table.goods.map(({ id }) => ({
      id,
      game_id: table.gameId,
      prices: pricesOf(lines.filter(({ value }) => value.itemId === id).map(({ value }) => value)),
    }));
    for (const { itemId, currency, why } of chargeComplaints(goods, rules, sites)) {
      const line = lines.find(
        ({ value }) => value.itemId === itemId && value.currency === currency,
      );
      const pack = table.goods.find(({ id }) => id === itemId);
      const place = line?.at(['amount']) ?? pack?.at(['id']);
      const derived =
        line === undefined ? ` (its price in ${currency} follows from price-rules)` : '';
      if (place !== undefined) {
        reader.complain(
          place,
          `${itemId} ${currency}: ${why}${derived}: write another price`,
          'amount',
        );
      }
    }
  }
}

/** The lines that are prices of the goods in the same folder. */
function checkedLines(
  reader: FolderReader,
  { goods, prices, gameId }: PricedGoods,
  sites: readonly SellingSite[],
): Said<PriceLine>[] {
  const seen = new Set<string>();
  return prices.filter(({ value, at }) => {
    const { itemId, currency, country, amount } = value;
    const complain = (field: string, problem: string) => {
      reader.complain(at([field]), problem, field);
      return false;
    };
    if (!goods.some(({ id }) => id === itemId)) {
      return complain(
        'itemId',
        unknown(
          gameId === null ? 'pack' : 'item',
          itemId,
          goods.map(({ id }) => id),
        ),
      );
    }
    const key = [itemId, currency, country].join();
    if (seen.has(key))
      return complain(
        'itemId',
        `${itemId} has a price in ${currency} already: remove one of the two`,
      );
    seen.add(key);
    if (gameId === null && currency === pointsUnit) {
      return complain('currency', 'points are not sold for points: write a currency');
    }
    const minor = minorIn(amount, currency);
    if (minor === undefined || minor <= 0n) {
      return complain(
        'amount',
        `"${amount}" is no price in ${currency}: write ${nearestPrice(amount, currency)}`,
      );
    }
    const sellers = sites.filter((site) => sells(site, gameId));
    if (sellers.length > 0 && !sellers.some((site) => isTakenAt(site, value, gameId))) {
      return complain(
        'currency',
        `no site that sells ${itemId} takes ${currency}${country === null ? '' : ` in ${country}`}: add it to a site, or remove the line`,
      );
    }
    return true;
  });
}

function sells(site: SellingSite, gameId: string | null): boolean {
  return gameId === null || site.gameIds.includes(gameId);
}

/** `4,99` and `4.999` may be meant as `4.99`. */
function nearestPrice(amount: string, unit: PriceUnit): string {
  const decimals = unit === pointsUnit ? 0 : currencyDecimals[unit];
  const [whole = '', part = ''] = amount
    .replace(',', '.')
    .replace(/[^\d.]/g, '')
    .split('.');
  const found =
    decimals === 0 ? whole : `${whole}.${part.slice(0, decimals).padEnd(decimals, '0')}`;
  if ((minorIn(found, unit) ?? 0n) > 0n) return found;
  return decimals === 0 ? '100' : '0.99';
}

function checkedRule(
  reader: FolderReader,
  rule: ShopFolder['priceRules'][number],
): PriceRule | undefined {
  const { value, at } = rule;
  const amounts = [
    ...value.prices.map((price, index) => ({ price, path: ['prices', index] })),
    { price: value.step, path: ['step'] },
  ];
  const wrong = amounts.filter(({ price }) => (minorIn(price, value.currency) ?? 0n) <= 0n);
  for (const { price, path } of wrong) {
    const problem = `"${price}" is no price in ${value.currency}: write ${nearestPrice(price, value.currency)}`;
    reader.complain(at(path), problem, path.join('.'));
  }
  if (value.currency === value.baseCurrency) {
    reader.complain(
      at(['baseCurrency']),
      `${value.currency} follows from itself: write another currency`,
      'baseCurrency',
    );
    return undefined;
  }
  return wrong.length > 0 ? undefined : { ...ruleTerms(value), country: anyCountry };
}
