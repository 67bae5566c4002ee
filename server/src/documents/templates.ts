import { documentShapes } from '@pointgate/contract/documents/kinds.ts';
import type { CurrencyCode } from '@pointgate/contract/money.ts';
import { z } from 'zod';

// The files of a new folder. Comments in them say what else could be written.

/** Files by their paths in the folder. */
export type NewFiles = Readonly<Record<string, string>>;

export interface NewGame {
  id: string;
  name: string;
  apiUrl: string;
  currency: CurrencyCode;
}

export interface NewSite {
  id: string;
  title: string;
  host: string;
  gameId: string;
  currency: CurrencyCode;
}

type ShapeName = keyof typeof documentShapes;

/** The first line of a document, by which editors complete and underline. */
function schemaLine(shape: ShapeName, depth: number): string {
  return `# yaml-language-server: $schema=${'../'.repeat(depth)}.schemas/${shape}.schema.json\n`;
}

/** What editors check documents against. */
export function schemaFiles(): NewFiles {
  const files = Object.entries(documentShapes).map(([name, shape]) => {
    const schema = z.toJSONSchema(shape, { io: 'input', target: 'draft-7' });
    return [`.schemas/${name}.schema.json`, `${JSON.stringify(schema, null, 2)}\n`];
  });
  return Object.fromEntries(files);
}

export function newShop(source: string, { gameId, siteId }: { gameId: string; siteId: string }) {
  return {
    'shop.yaml': `${schemaLine('shop', 0)}# What this shop has. Every game and site has a folder of its name.
source: ${source}
games: [${gameId}]
sites: [${siteId}]
`,
    'regions.yaml': `${schemaLine('names', 0)}# The regions of servers. Each name may be given in every language of the shop.
asia: { en-US: Asia, de-DE: Asien }
europe: { en-US: Europe, de-DE: Europa }
america: { en-US: Americas, de-DE: Amerika }
`,
    'groups.yaml': `${schemaLine('names', 0)}# The groups that packs are listed in.
packs: { en-US: Packs, de-DE: Pakete }
`,
  };
}

export function newGame({ id, name, apiUrl, currency }: NewGame): NewFiles {
  const folder = `games/${id}`;
  return {
    [`${folder}/game.yaml`]: `${schemaLine('game', 2)}name: { en-US: ${quoted(name)} }
subtitle: { en-US: ${quoted(name)} }
# Where the shop asks for characters and delivers: docs/game-openapi.json says what is answered there.
apiUrl: ${quoted(apiUrl)}
# Colours and pictures; without them the portal looks as it does by itself.
# theme: { accent: "#ffb85c", accentStrong: "#ff9636" }
`,
    [`${folder}/servers.csv`]: 'id,region,systems,name:en-US\ns1,europe,ios android,S1\n',
    // More columns: badge, saleFrom, saleUntil, limit, and a name and unit for each language.
    [`${folder}/items.csv`]: `id,group,sku,quantity,gift,tier,art,limit,name:en-US,unit:en-US
${id}_60,packs,gem,60,0,tide,shard1,,60 Gems,Gems
${id}_300,packs,gem,300,30,dusk,shard2,,300 Gems,Gems
`,
    [`${folder}/prices.csv`]: `itemId,currency,country,amount
${id}_60,${currency},,${examplePrices[currency][0]}
${id}_300,${currency},,${examplePrices[currency][1]}
`,
  };
}

const decimal = ['4.99', '24.99'] as const;
const examplePrices: Readonly<Record<CurrencyCode, readonly [string, string]>> = {
  CNY: ['6', '30'],
  EUR: decimal,
  HKD: ['38', '188'],
  JPY: ['600', '3000'],
  KRW: ['5900', '29000'],
  THB: ['159', '799'],
  TWD: ['150', '790'],
  USD: decimal,
  VND: ['99000', '499000'],
};

export function newSite({ id, title, host, gameId, currency }: NewSite): NewFiles {
  return {
    [`sites/${id}/site.yaml`]: `${schemaLine('site', 2)}title: ${quoted(title)}
brandId: ${id}
# Every host of the site, the usual one first. Players come back to https:// and this host.
hosts: [${host}]
# The game of this site, or gameIds: [one, another] for a platform with several.
gameId: ${gameId}
currency: ${currency}
# otherCurrencies: [EUR, JPY]
methods: [card]
# countries: [DE, AT]        # where it sells; everywhere without it
# timeZone: Europe/Berlin    # when days of limits begin
`,
  };
}

/** A text in quotation marks, as YAML and JSON write it. */
function quoted(text: string): string {
  return JSON.stringify(text);
}
