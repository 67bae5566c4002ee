import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { endpoints } from './endpoints.ts';
import { commonRefusals, playerRefusals } from './errors.ts';
import { Amount } from './money.ts';
import { OrderDetail, RecordStatus, recordLabels } from './orders.ts';
import { SiteConfig } from './site-config.ts';

const byPath = endpoints.map((endpoint) => [endpoint.path, endpoint] as const);

test('no two API endpoints share a method and path', () => {
  expect(endpoints.length).toBeGreaterThan(10);
  expect(new Set(endpoints.map(({ method, path }) => `${method} ${path}`)).size).toBe(
    endpoints.length,
  );
});

describe.each(byPath)('the API endpoint %s', (_path, endpoint) => {
  test('an API endpoint refuses unknown fields at every depth of its request body', () => {
    expect(looseObjectsIn(endpoint.body)).toEqual([]);
    const alien = endpoint.body.safeParse({ alien: 1 });
    expect(alien.error?.issues).toContainEqual(
      expect.objectContaining({ code: 'unrecognized_keys', keys: ['alien'], path: [] }),
    );
  });

  test('an API endpoint replies with all its fields: an empty field is null, never missing', () => {
    expect(optionalFieldsIn(endpoint.reply)).toEqual([]);
    expect(looseObjectsIn(endpoint.reply)).toEqual([]);
  });

  test('an API endpoint lists each of its own error codes once, without those that all public or all player endpoints share', () => {
    const everywhere: readonly string[] =
      endpoint.access === 'player' ? [...commonRefusals, ...playerRefusals] : commonRefusals;
    expect(new Set(endpoint.refusals).size).toBe(endpoint.refusals.length);
    expect(endpoint.refusals.filter((code) => everywhere.includes(code))).toEqual([]);
  });

  test('an API endpoint lists the error code ForeignOrigin exactly if it is a public POST', () => {
    const isSaidHere = endpoint.refusals.includes('ForeignOrigin');
    // Player calls have it in common; GET calls change nothing and have no cross-origin check.
    expect(isSaidHere).toBe(endpoint.method === 'POST' && endpoint.access === 'public');
  });
});

test('the schema of the site config has no optional field and allows no unknown field', () => {
  expect(optionalFieldsIn(SiteConfig)).toEqual([]);
  expect(looseObjectsIn(SiteConfig)).toEqual([]);
});

test('the recharge record labels an order of status 2 with the text RechargeDetail.type3, and of status 3 with RechargeDetail.type2', () => {
  expect(recordLabels).toEqual({
    1: 'RechargeDetail.type1',
    2: 'RechargeDetail.type3',
    3: 'RechargeDetail.type2',
    4: 'RechargeDetail.type4',
    5: 'RechargeDetail.type5',
  });
  for (const status of [1, 2, 3, 4, 5]) expect(RecordStatus.safeParse(status).success).toBe(true);
  for (const status of [0, 6, '2']) expect(RecordStatus.safeParse(status).success).toBe(false);
});

describe('the schema walk', () => {
  test('the schema check of the contract tests finds an optional field at any depth', () => {
    const deep = z.strictObject({
      list: z.array(z.nullable(z.strictObject({ kept: z.string(), lost: z.optional(Amount) }))),
    });
    expect(optionalFieldsIn(deep)).toEqual(['.list[].lost']);
    expect(
      optionalFieldsIn(z.union([z.null(), z.strictObject({ a: z._default(z.int(), 1) })])),
    ).toEqual(['.a']);
  });

  test('the schema check of the contract tests finds an object that allows unknown fields', () => {
    expect(looseObjectsIn(z.strictObject({ inner: z.object({}) }))).toEqual(['.inner']);
    expect(looseObjectsIn(z.looseObject({}))).toEqual(['']);
  });

  test('the schema check of the contract tests throws on a schema type that it does not know', () => {
    expect(() => optionalFieldsIn(z.promise(z.string()))).toThrow('promise');
    expect(optionalFieldsIn(OrderDetail)).toEqual([]);
  });
});

function optionalFieldsIn(schema: z.core.$ZodType): string[] {
  return walk(schema, '', (inner, at) =>
    ['optional', 'default', 'prefault', 'undefined'].includes(inner._zod.def.type) ? [at] : [],
  );
}

function looseObjectsIn(schema: z.core.$ZodType): string[] {
  return walk(schema, '', ({ _zod: { def } }, at) => {
    if (def.type !== 'object') return [];
    const { catchall } = def as z.core.$ZodObjectDef; // as: the type says which definition it is
    return catchall?._zod.def.type === 'never' ? [] : [at];
  });
}

type Find = (schema: z.core.$ZodType, at: string) => string[];

const leaves = ['string', 'int', 'number', 'bigint', 'boolean', 'literal', 'enum', 'null', 'never'];

/** Collects the results of `find` for this schema and all schemas inside it. */
function walk(schema: z.core.$ZodType, at: string, find: Find): string[] {
  return [
    ...find(schema, at),
    ...inside(schema, at).flatMap(([inner, path]) => walk(inner, path, find)),
  ];
}

function inside({ _zod: { def } }: z.core.$ZodType, at: string): [z.core.$ZodType, string][] {
  const known = def as z.core.$ZodTypes['_zod']['def']; // as: the union of all definitions there are
  switch (known.type) {
    case 'object':
      return Object.entries(known.shape).map(([name, inner]) => [inner, `${at}.${name}`]);
    case 'array':
      return [[known.element, `${at}[]`]];
    case 'nullable':
    case 'optional':
    case 'default':
      return [[known.innerType, at]];
    case 'pipe':
      return [
        [known.in, at],
        [known.out, at],
      ];
    case 'union':
      return known.options.map((option) => [option, at]);
    default:
      if (leaves.includes(known.type)) return [];
      throw new Error(`a ${known.type} at ${at || 'the top'}, which this walk does not know`);
  }
}
