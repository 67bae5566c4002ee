import { join } from 'node:path';
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
  };
}

function toJson(document: object): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}
