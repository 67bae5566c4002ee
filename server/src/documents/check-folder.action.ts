import { statSync } from 'node:fs';
import { z } from 'zod';
import { operatorAction, refuse } from '../platform/operator-action.ts';
import { readShopFolder } from './documents.ts';
import { lineOf } from './places.ts';

export const action = operatorAction({
  name: 'check',
  program: 'pointgate',
  summary: 'Checks the folder of a shop.',
  details:
    'Every fault is told with file, line and column, and with what to write instead. Nothing is written, and no shop is needed.',
  examples: ['check demo/shop', 'check shop --json'],
  permission: 'documents.read',
  input: z.strictObject({
    folder: z.string().default('shop').describe('folder'),
    json: z.boolean().default(false),
  }),
  positionals: ['folder'],
  effect: 'local',
  run: async ({ folder, json }, { print }) => {
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) {
      return refuse(`there is no folder ${folder}`, 2);
    }
    const { shop, complaints } = readShopFolder(folder, new Date());
    const counts = {
      games: shop.games.length,
      items: shop.games.reduce((sum, { items }) => sum + items.length, 0),
      packs: shop.packs.length,
      sites: shop.sites.length,
      coupons: shop.coupons.length,
    };
    if (json) await print(`${JSON.stringify({ folder, counts, complaints }, undefined, 2)}\n`);
    if (complaints.length > 0) {
      if (!json) await print(complaints.map((each) => `${lineOf(each)}\n`).join(''));
      return refuse(`${complaints.length} to correct in ${folder}`);
    }
    const said = Object.entries(counts).map(([what, count]) => `${count} ${what}`);
    if (!json) await print(`${folder}: nothing to correct in ${said.join(', ')}\n`);
    return undefined;
  },
});
