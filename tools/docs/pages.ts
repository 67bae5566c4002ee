import { errorsPage } from './errors.ts';
import { gameOpenApi, shopOpenApi } from './openapi.ts';

/** Everything under docs/ that is made from the contract, by its path there. */
export function generatedPages(): Record<string, string> {
  return {
    'errors.md': errorsPage(),
    'openapi.json': toJson(shopOpenApi()),
    'game-openapi.json': toJson(gameOpenApi()),
  };
}

function toJson(document: object): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}
