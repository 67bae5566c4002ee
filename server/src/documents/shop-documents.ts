import type { CouponTemplate } from '@pointgate/contract/documents/coupons.ts';
import { CouponList } from '@pointgate/contract/documents/coupons.ts';
import { GameDocument, Names, ServerLine } from '@pointgate/contract/documents/game.ts';
import { ItemLine, PackLine } from '@pointgate/contract/documents/goods.ts';
import type { BulletinImport, PageImport } from '@pointgate/contract/documents/news.ts';
import type { Texts } from '@pointgate/contract/documents/parts.ts';
import { PriceLine, type PriceRule, PriceRules } from '@pointgate/contract/documents/prices.ts';
import { PromotionList } from '@pointgate/contract/documents/promotions.ts';
import { ShopDocument } from '@pointgate/contract/documents/shop.ts';
import { SiteDocument } from '@pointgate/contract/documents/site.ts';
import { nearestNames } from '../platform/nearest-names.ts';
import { type FolderReader, startOf } from './folder-reader.ts';
import type { Document, Said } from './places.ts';
import { readNews, readPages } from './site-texts.ts';

interface ServerOfShop extends Omit<ServerLine, 'region'> {
  region: Texts;
}

export interface GameOfShop extends Document<GameDocument> {
  servers: Document<ServerOfShop>[];
  /** Those that its items are in, in the order of the items. */
  groups: { id: string; name: Texts }[];
  items: Document<ItemLine>[];
  prices: Said<PriceLine>[];
}

export interface SiteOfShop extends Document<SiteDocument> {
  promotions: Said<PromotionList> | undefined;
  news: Document<BulletinImport>[];
  pages: Document<PageImport>[];
}

/** Everything that the folder of a shop says, without the documents that are wrong. */
export interface ShopFolder {
  isDemo: boolean;
  games: GameOfShop[];
  packs: Document<PackLine>[];
  packPrices: Said<PriceLine>[];
  priceRules: Said<PriceRule>[];
  sites: SiteOfShop[];
  coupons: Document<CouponTemplate>[];
}

/** Reads a folder. What is missing or wrong is in the complaints of the reader. */
export function readShop(reader: FolderReader): ShopFolder {
  const shop = reader.document(ShopDocument, 'shop');
  if (shop !== undefined) reader.knowsAllFiles();
  if (shop?.value.demo) reader.allowRelativeTimes();
  const names = namesOf(reader);
  const games = shop === undefined ? [] : listed(reader, shop, 'games');
  const sites = shop === undefined ? [] : listed(reader, shop, 'sites');
  const read = games.flatMap((id) => readGame(reader, id, names) ?? []);
  return {
    isDemo: shop?.value.demo ?? false,
    games: read,
    ...readPoints(reader),
    priceRules: reader.has('price-rules')
      ? entriesOf(reader.document(PriceRules, 'price-rules'))
      : [],
    sites: sites.flatMap((id) => readSite(reader, id, read) ?? []),
    coupons: reader.has('coupons')
      ? entriesOf(reader.document(CouponList, 'coupons')).map((coupon) => ({
          ...coupon,
          id: coupon.value.templateId,
        }))
      : [],
  };
}

/** The ids of a list, of which each has a folder and each folder an id. */
function listed(reader: FolderReader, shop: Said<ShopDocument>, kind: 'games' | 'sites'): string[] {
  const ids = shop.value[kind];
  const folders = reader.list(kind);
  for (const [index, id] of ids.entries()) {
    const place = shop.at([kind, index]);
    if (ids.indexOf(id) < index) reader.complain(place, `${id} is there twice: keep one`, kind);
    else if (!folders.includes(id)) {
      const [nearest] = nearestNames(id, folders);
      const instead = nearest === undefined ? `write ${kind}/${id}` : `write ${nearest}`;
      reader.complain(place, `${id} has no folder ${kind}/${id}: ${instead}`, kind);
    }
  }
  for (const name of folders.filter((each) => !ids.includes(each))) {
    const problem = `is a folder that shop.yaml does not list: write ${name} into its ${kind}`;
    reader.complain(startOf(`${kind}/${name}`), problem);
  }
  return [...new Set(ids)].filter((id) => folders.includes(id));
}

/** Undefined where the file of names is wrong itself. */
interface NamesOfShop {
  regions: Names | undefined;
  groups: Names | undefined;
}

function namesOf(reader: FolderReader): NamesOfShop {
  const named = (path: string) => (reader.has(path) ? reader.document(Names, path)?.value : {});
  return { regions: named('regions'), groups: named('groups') };
}

function readGame(reader: FolderReader, id: string, names: NamesOfShop): GameOfShop | undefined {
  const folder = `games/${id}`;
  const game = reader.document(GameDocument, `${folder}/game`);
  const servers = reader.table(ServerLine, `${folder}/servers.csv`).map((said) => {
    const region = nameOf(reader, said, { field: 'region', names: names.regions });
    return { ...said, id: said.value.id, value: { ...said.value, region } };
  });
  const items = reader.table(ItemLine, `${folder}/items.csv`).map((said) => {
    nameOf(reader, said, { field: 'group', names: names.groups });
    return { ...said, id: said.value.id };
  });
  const prices = reader.table(PriceLine, `${folder}/prices.csv`);
  const groups = [...new Set(items.map(({ value }) => value.group))];
  if (game === undefined) return undefined;
  return {
    ...game,
    id,
    servers,
    items,
    prices,
    groups: groups.map((group) => ({ id: group, name: names.groups?.[group] ?? {} })),
  };
}

/** The name of a group or region, which has to be in the file of names. */
function nameOf<Field extends 'group' | 'region'>(
  reader: FolderReader,
  { value, at }: Said<Readonly<Record<Field, string>>>,
  { field, names }: { field: Field; names: Names | undefined },
): Texts {
  const key = value[field];
  const name = names?.[key];
  if (name !== undefined || names === undefined) return name ?? {};
  const [nearest] = nearestNames(key, Object.keys(names));
  const instead = nearest === undefined ? `write ${key} there` : `write ${nearest}`;
  const problem = `"${key}" has no name in ${field}s.yaml: ${instead}`;
  reader.complain(at([field]), problem, field);
  return {};
}

function readPoints(reader: FolderReader): Pick<ShopFolder, 'packs' | 'packPrices'> {
  if (reader.list('points').length === 0) return { packs: [], packPrices: [] };
  const packs = reader.table(PackLine, 'points/packs.csv');
  return {
    packs: packs.map((said) => ({ ...said, id: said.value.id })),
    packPrices: reader.table(PriceLine, 'points/prices.csv'),
  };
}

function readSite(
  reader: FolderReader,
  id: string,
  games: readonly GameOfShop[],
): SiteOfShop | undefined {
  const folder = `sites/${id}`;
  const site = reader.document(SiteDocument, `${folder}/site`);
  const promotions = reader.has(`${folder}/promotions`)
    ? reader.document(PromotionList, `${folder}/promotions`)
    : undefined;
  const game = games.find((each) => each.id === site?.value.gameId);
  const shown = { id, title: site?.value.title ?? id, names: game?.value.name };
  const news = readNews(reader, shown);
  const pages = readPages(reader, shown);
  return site === undefined ? undefined : { ...site, id, promotions, news, pages };
}

/** The entries of a list, each with its place. */
function entriesOf<T>(list: Said<readonly T[]> | undefined): Said<T>[] {
  return (list?.value ?? []).map((value, index) => ({
    value,
    at: (path = []) => list?.at([index, ...path]) ?? startOf(''),
  }));
}
