import { checkShop } from './check-shop.ts';
import { type DemoDocuments, readDemo } from './demo-documents.ts';
import { openFolder } from './folder-reader.ts';
import type { Complaint } from './places.ts';
import { readShop, type ShopFolder } from './shop-documents.ts';

/** What the folder of a shop says, and everything that is wrong with it, in the order of places. */
export function readShopFolder(
  folder: string,
  now: Date,
): { shop: ShopFolder; demo: DemoDocuments; complaints: Complaint[] } {
  const reader = openFolder(folder, now);
  const shop = readShop(reader);
  const demo = readDemo(reader, shop);
  // A wrong document is missing here, and others that name it would be complained of as well.
  if (reader.complaints().length === 0) checkShop(reader, shop);
  return { shop, demo, complaints: reader.complaints() };
}
