import type { Endpoint } from '@pointgate/contract/endpoint.ts';
import * as fc from 'fast-check';
import * as z from 'zod/mini';

/** A request that no page of the shop sends. */
export interface GeneratedRequest {
  endpoint: Endpoint;
  /** The body as text, not necessarily JSON. */
  body: string;
  address: Record<string, string>;
  headers: Record<string, string>;
}

/** A valid body with its endpoint and address. */
export interface Sample {
  endpoint: Endpoint;
  body: object;
  address: Record<string, string>;
}

/** Known values of fields by name, which get requests past the first checks. */
export type Known = ReadonlyMap<string, readonly string[]>;

export function knownIn(values: readonly unknown[]): Known {
  const found = values.flatMap((value) =>
    placesIn(value).map((path) => ({ field: String(path.at(-1)), text: at(value, path) })),
  );
  const texts = found.filter(({ text }) => typeof text === 'string');
  const byField = Map.groupBy(texts, ({ field }) => field);
  return new Map(
    [...byField].map(([field, group]) => [field, group.map(({ text }) => String(text))]),
  );
}

/** Texts that commonly cause errors. */
const hostileTexts = [
  '',
  ' ',
  '\0',
  '\ud800',
  '\u202eexe.gpj',
  '__proto__',
  'constructor',
  "' or 1=1; --",
  '{{7*7}}',
  '../../etc/passwd',
  '<script>alert(1)</script>',
  '1e999',
  '-0',
  '9223372036854775808',
  'NaN',
  '2026-02-30T00:00:00Z',
  '00000000-0000-0000-0000-000000000000',
  'ÿ'.repeat(300),
  '𝕏'.repeat(5000),
];

const hostile: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(...hostileTexts),
  fc.constantFrom<unknown>(null, true, false, 0, -1, 0.5, 2 ** 53, -(2 ** 63), 1e308),
  fc.constantFrom<unknown>([], {}, [[]], [null], { toString: 1 }, { length: 1e9 }),
  fc.jsonValue({ maxDepth: 3 }),
);

/** A value that fits a schema; a text may match its pattern without being meaningful. */
function fitting(schema: z.core.$ZodType, known: Known, field = ''): fc.Arbitrary<unknown> {
  const { def } = schema._zod as z.core.$ZodTypes['_zod']; // as: the union of all kinds, which `def` tells apart
  switch (def.type) {
    case 'object': {
      const fields = Object.entries(def.shape).map(
        ([name, inner]) => [name, fitting(inner, known, name)] as const,
      );
      const required = Object.entries(def.shape).flatMap(([name, inner]) =>
        inner._zod.optin === 'optional' ? [] : [name],
      );
      return fc.record(Object.fromEntries(fields), { requiredKeys: required });
    }
    case 'string':
      return text(schema, known.get(field) ?? []);
    case 'number':
      return fc.oneof(
        { arbitrary: fc.integer({ min: 1, max: 9 }), weight: 20 },
        fc.integer({ min: -1, max: 200 }),
        fc.integer(),
      );
    case 'boolean':
      return fc.boolean();
    case 'enum':
      return fc.constantFrom(...Object.values(def.entries));
    case 'literal':
      return fc.constantFrom(...def.values);
    case 'optional':
      return fitting(def.innerType, known, field);
    case 'nullable':
      return fc.option(fitting(def.innerType, known, field));
    case 'array':
      return fc.array(fitting(def.element, known, field), { maxLength: 8 });
    case 'union':
      return fc.oneof(...def.options.map((option) => fitting(option, known, field)));
    case 'pipe':
      return fitting(def.in, known, field);
    case 'null':
      return fc.constant(null);
    default:
      return hostile;
  }
}

function text(schema: z.core.$ZodType, held: readonly string[]): fc.Arbitrary<string> {
  const formats = formatsOf(schema);
  const matching = formats
    .flatMap(({ pattern }) => (pattern !== undefined && isSimple(pattern) ? [pattern] : []))
    .map((pattern) => ({ arbitrary: fc.stringMatching(pattern), weight: 4 }));
  const is = (name: string) => formats.some(({ format }) => format === name);
  return fc.oneof(
    ...held.map((one) => ({ arbitrary: fc.constant(one), weight: 20 })),
    ...matching,
    ...(is('uuid') ? [{ arbitrary: fc.uuid({ version: 4 }), weight: 20 }] : []),
    ...(is('datetime')
      ? [
          {
            arbitrary: fc.date({ min: years[0], max: years[1], noInvalidDate: true }).map(isoOf),
            weight: 20,
          },
        ]
      : []),
    fc.constantFrom(...hostileTexts),
  );
}

const years: readonly [Date, Date] = [new Date('2020-01-01'), new Date('2030-01-01')];

/** The format of a text, from the schema or its checks. */
function formatsOf(schema: z.core.$ZodType): { format: string; pattern?: RegExp | undefined }[] {
  const { checks = [] } = schema._zod.def;
  return [schema._zod.def, ...checks.map((check) => check._zod.def)].flatMap((def) =>
    'format' in def && typeof def.format === 'string'
      ? [
          {
            format: def.format,
            pattern: 'pattern' in def && def.pattern instanceof RegExp ? def.pattern : undefined,
          },
        ]
      : [],
  );
}

function isoOf(date: Date): string {
  return date.toISOString();
}

/** A pattern with lookaheads cannot be used to generate texts. */
function isSimple({ source }: RegExp): boolean {
  return !source.includes('(?');
}

type Path = readonly (string | number)[];

/** All paths within a value that can be replaced. */
function placesIn(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const inner = Object.entries(value).flatMap(([key, part]) => placesIn(part, [...path, key]));
  return [path, ...inner];
}

function at(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((part, key) => Reflect.get(Object(part), key), value);
}

/** The same value with one path replaced or removed. */
function replaced(value: unknown, [key, ...rest]: Path, by: unknown): unknown {
  if (key === undefined) return by;
  const copy: Record<string | number, unknown> = { ...(value as object) }; // as: the path was found in it
  if (rest.length === 0 && by === undefined) delete copy[key];
  else copy[key] = replaced(copy[key], rest, by);
  return Array.isArray(value) ? Object.values(copy) : copy;
}

function spoilt(value: unknown): fc.Arbitrary<unknown> {
  return fc
    .tuple(fc.constantFrom(...placesIn(value)), fc.option(hostile, { nil: undefined }))
    .map(([path, by]) => replaced(value, path, by));
}

/** The value as text: mostly JSON, sometimes broken, doubled, nested or large. */
function written(value: unknown): fc.Arbitrary<string> {
  const json = JSON.stringify(value) ?? '';
  return fc.oneof(
    { arbitrary: fc.constant(json), weight: 60 },
    fc.nat({ max: json.length }).map((end) => json.slice(0, end)),
    fc.constantFrom(
      json + json,
      `${'['.repeat(4000)}${']'.repeat(4000)}`,
      `"${'x'.repeat(70_000)}"`,
    ),
    fc.constant(json.replace(/^\{/, '{"__proto__":{"isSuccess":true},"constructor":1,')),
    fc.string(),
  );
}

const headers: fc.Arbitrary<Record<string, string>> = fc.record(
  {
    'content-type': fc.oneof(
      { arbitrary: fc.constant('application/json'), weight: 100 },
      fc.constantFrom(
        'text/plain',
        'application/x-www-form-urlencoded',
        'application/json; charset=latin1',
        'x',
      ),
    ),
    'sec-fetch-site': fc.oneof(
      { arbitrary: fc.constant('same-origin'), weight: 50 },
      fc.constantFrom('cross-site', 'none', ''),
    ),
    'accept-language': fc.constantFrom(
      'en-US',
      'zh-TW',
      'xx',
      '*',
      'de-DE;q=nothing',
      'ja'.repeat(500),
    ),
    accountid: fc.constantFrom('018f0000-0000-7000-8000-000000000000', "';--", ''),
    origin: fc.constantFrom('https://evil.example', 'null', 'http://localhost'),
  },
  { requiredKeys: ['content-type', 'sec-fetch-site'] },
);

/** A request for one endpoint: a mutated valid one, or one that is generated from the schema. */
export function requestFor(sample: Sample, known: Known): fc.Arbitrary<GeneratedRequest> {
  const { endpoint } = sample;
  const body = fc
    .oneof(
      { arbitrary: fitting(endpoint.body, known), weight: 10 },
      { arbitrary: spoilt(sample.body), weight: 6 },
      { arbitrary: fc.constant<unknown>(sample.body), weight: 2 },
      { arbitrary: hostile, weight: 1 },
    )
    .chain(written);
  return fc.record({
    endpoint: fc.constant(endpoint),
    body,
    address: fc.oneof(fc.constant(sample.address), addressFor(endpoint, known)),
    headers,
  });
}

function addressFor(
  { address = z.strictObject({}) }: Endpoint,
  known: Known,
): fc.Arbitrary<Record<string, string>> {
  return fitting(address, known).map((values) =>
    Object.fromEntries(
      Object.entries(values as object).map(([name, value]) => [name, wellFormed(String(value))]), // as: an address is an object
    ),
  );
}

/** Removes lone surrogates, which a URL cannot contain. */
function wellFormed(part: string): string {
  return part.toWellFormed();
}
