import { readFileSync } from 'node:fs';
import { endpoints } from '@pointgate/contract/endpoints.ts';
import { expect, test } from 'vitest';
import { shopOpenApi } from './openapi.ts';
import { generatedPages } from './pages.ts';

test.each(Object.entries(generatedPages()))('docs/%s is what the contract says', (name, text) => {
  expect(readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8')).toBe(text);
});

test('the OpenAPI file knows every call', () => {
  const { paths } = shopOpenApi() as { paths: Record<string, object> };
  expect(Object.keys(paths)).toEqual(endpoints.map(({ path }) => path));
});

test('amounts are digits on the wire', () => {
  expect(JSON.stringify(shopOpenApi())).toContain('"amountMinor":{"type":"string","pattern"');
});
