import type { z } from 'zod';
import { CouponList } from './coupons.ts';
import { GameDocument, Names, ServerLine } from './game.ts';
import { ItemLine, PackLine } from './goods.ts';
import { BulletinDocument, TextFields } from './news.ts';
import { PriceLine, PriceRules } from './prices.ts';
import { PromotionList } from './promotions.ts';
import { ShopDocument } from './shop.ts';
import { SiteDocument } from './site.ts';

/** The shape of each kind of file of a shop folder, of a line where it is a table, by its name. */
export const documentShapes = {
  bulletin: BulletinDocument,
  coupons: CouponList,
  game: GameDocument,
  items: ItemLine,
  names: Names,
  packs: PackLine,
  'price-rules': PriceRules,
  prices: PriceLine,
  promotions: PromotionList,
  servers: ServerLine,
  shop: ShopDocument,
  site: SiteDocument,
  text: TextFields,
} satisfies Record<string, z.ZodType>;
