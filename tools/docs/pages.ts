import { join } from 'node:path';
import { documentShapes } from '@pointgate/contract/documents/kinds.ts';
import { PlayerLine } from '@pointgate/contract/player-line.ts';
import { z } from 'zod';
import { asvsPage } from '../asvs/page.ts';
import { readRows } from '../asvs/rows.ts';
import { errorsPage } from './errors.ts';
import { gameOpenApi, shopOpenApi } from './openapi.ts';

/** All generated files below docs/, by path. */
export function generatedPages(): Record<string, string> {
  return {
    'asvs.md': asvsPage(readRows(join(import.meta.dirname, '../..'))),
    'errors.md': errorsPage(),
    'openapi.json': toJson(shopOpenApi()),
    'game-openapi.json': toJson(gameOpenApi()),
    // As a file has them, without the values that are filled in.
    'player-line.schema.json': toJson(z.toJSONSchema(PlayerLine, { io: 'input' })),
    ...documentSchemas(),
  };
}

/** For editors, which complete and underline with them. */
function documentSchemas(): Record<string, string> {
  const pages = Object.entries(documentShapes).map(([name, shape]) => {
    const schema = z.toJSONSchema(shape, { io: 'input', target: 'draft-7' });
    return [`schemas/${name}.schema.json`, toJson(schema)];
  });
  return Object.fromEntries(pages);
}

function toJson(document: object): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}
