import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CurrencyName, Id } from '@pointgate/contract/documents/parts.ts';
import { isScalar, isSeq, parseDocument } from 'yaml';
import { z } from 'zod';
import { operatorAction, refuse } from '../platform/operator-action.ts';
import { readShopFolder } from './documents.ts';
import { lineOf } from './places.ts';
import { type NewFiles, newGame, newShop, newSite, schemaFiles } from './templates.ts';

const Input = z.strictObject({
  kind: z
    .enum(['publisher', 'game', 'site'], 'is not publisher, game or site')
    .describe('publisher|game|site'),
  folder: z.string().describe('folder'),
  id: Id.optional().describe('id'),
  name: z.string().trim().min(1).optional().describe('name'),
  game: Id.optional().describe('game'),
  host: z.string().optional().describe('host'),
  apiUrl: z.url().optional().describe('url'),
  currency: CurrencyName.default('USD').describe('currency'),
});
type Input = z.output<typeof Input>;

export const action = operatorAction({
  name: 'new',
  program: 'pointgate',
  summary: 'Writes a folder for a publisher, or a game or site into one.',
  details:
    'What is written passes `check`, and comments say what else could be there. Files that exist are never changed, except that shop.yaml lists the new game or site.',
  examples: [
    'new publisher shop --name "Acme Games" --game starfall --host shop.acme.example',
    'new game shop --id moonrise --name Moonrise --api-url https://moonrise.acme.example',
    'new site shop --id moonrise --name Moonrise --game moonrise --host moonrise.acme.example',
  ],
  permission: 'documents.read',
  input: Input,
  positionals: ['kind', 'folder'],
  effect: 'local',
  run: async (input, { print }) => {
    const written = input.kind === 'publisher' ? newPublisher(input) : addTo(input);
    const { complaints } = readShopFolder(input.folder, new Date());
    await print(written.map((path) => `${join(input.folder, path)}\n`).join(''));
    if (complaints.length > 0) refuse(complaints.map(lineOf).join('\n'));
    return undefined;
  },
});

function newPublisher(input: Input): string[] {
  const { folder, name = 'My games', game: gameId = 'game', id: siteId = gameId, currency } = input;
  if (existsSync(join(folder, 'shop.yaml'))) refuse(`${folder} has a shop.yaml already`);
  const source = name.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  return write(folder, {
    ...schemaFiles(),
    ...newShop(Id.safeParse(source).data ?? 'folder', { gameId, siteId }),
    ...gameFiles(input, gameId),
    ...newSite({
      id: siteId,
      title: name,
      host: input.host ?? `${siteId}.localhost`,
      gameId,
      currency,
    }),
  });
}

function addTo(input: Input): string[] {
  const { kind, folder, currency, game } = input;
  const id = input.id ?? refuse('--id is missing');
  const files =
    kind === 'game'
      ? gameFiles(input, id)
      : newSite({
          id,
          title: input.name ?? id,
          host: input.host ?? `${id}.localhost`,
          gameId: game ?? refuse('--game is missing'),
          currency,
        });
  const list = kind === 'game' ? 'games' : 'sites';
  const shopFile = ['shop.yaml', 'shop.json'].find((name) => existsSync(join(folder, name)));
  const shopPath = join(
    folder,
    shopFile ?? refuse(`${folder} has no shop.yaml: begin with new publisher`),
  );
  const shop = parseDocument(readFileSync(shopPath, 'utf8'));
  const ids = shop.get(list);
  if (!isSeq(ids)) return refuse(`${shopPath} lists no ${list}: correct it first`);
  const written = write(folder, files);
  if (!ids.items.some((item) => isScalar(item) && item.value === id)) {
    ids.add(id);
    writeFileSync(shopPath, shop.toString());
  }
  return written;
}

function gameFiles({ name, apiUrl, currency, kind }: Input, id: string): NewFiles {
  return newGame({
    id,
    name: kind === 'game' ? (name ?? id) : id,
    apiUrl: apiUrl ?? `https://${id}.example`,
    currency,
  });
}

/** Writes all files, or none if one of them exists. */
function write(folder: string, files: NewFiles): string[] {
  const paths = Object.keys(files);
  const there = paths.find((path) => existsSync(join(folder, path)));
  if (there !== undefined) refuse(`${join(folder, there)} is there already`);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text, { flag: 'wx' });
  }
  return paths;
}
