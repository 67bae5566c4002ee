import { readFileSync } from 'node:fs';
import { endpoints } from '@pointgate/contract/endpoints.ts';
import { gameCalls } from '@pointgate/contract/game-calls.ts';
import { putPerson } from '@pointgate/contract/real-names.ts';
import { reportServers } from '@pointgate/contract/server-reports.ts';
import { issueTicket } from '@pointgate/contract/tickets.ts';
import { expect, test } from 'vitest';
import { gameOpenApi, shopOpenApi } from './openapi.ts';
import { generatedPages } from './pages.ts';

test.each(Object.entries(generatedPages()))(
  'docs/%s equals the output of npm run docs',
  (name, text) => {
    expect(readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8')).toBe(text);
  },
);

test('the OpenAPI file of the shop lists every endpoint', () => {
  const { paths } = shopOpenApi() as { paths: Record<string, object> };
  expect(Object.keys(paths)).toEqual(endpoints.map(({ path }) => path));
});

test('the OpenAPI file for games lists the calls of the shop that games answer and the calls that games may make to the shop', () => {
  const { paths } = gameOpenApi() as { paths: Record<string, object> };
  const answered = Object.keys(gameCalls).map((name) => `/${name}`);
  expect(Object.keys(paths)).toEqual([
    ...answered,
    issueTicket.path,
    putPerson.path,
    reportServers.path,
  ]);
});

test('an amount of money in the OpenAPI file of the shop is a string of digits', () => {
  expect(JSON.stringify(shopOpenApi())).toContain('"amountMinor":{"type":"string","pattern"');
});

test('the OpenAPI file of the shop lists the path and query parameters of an endpoint', () => {
  const { paths } = shopOpenApi() as { paths: Record<string, Record<string, object>> };
  expect(paths['/api/bulletin/detail/{id}']?.post).toMatchObject({
    operationId: 'bulletin_detail',
    parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
  });
  expect(paths['/api/crm/url/get']?.get).toMatchObject({
    parameters: [{ name: 'paymentId', in: 'query', required: false }],
  });
  expect(paths['/api/time']?.get).not.toHaveProperty('parameters');
});
