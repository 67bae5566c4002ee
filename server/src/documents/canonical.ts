import { createHash } from 'node:crypto';
import { z } from 'zod';

/** A value of JSON. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [field: string]: Json;
}

/**
 * A document in the one form in which equal documents are equal texts: without the fields that say
 * their defaults, so that a new optional field changes no digest, and with times in UTC. Parsing it
 * gives the document again.
 */
export function canonical(schema: z.ZodType, value: unknown): Json {
  return canonicalOf(schema, value) ?? null;
}

function canonicalOf(schema: unknown, value: unknown): Json | undefined {
  if (value === undefined) return undefined;
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return leafOf(value);
  const { shape, element, valueType } = partsOf(schema);
  if (Array.isArray(value)) return value.map((entry) => canonicalOf(element, entry) ?? null);
  const fields = Object.entries(value).flatMap(([name, inner]): [string, Json][] => {
    const field = shape?.[name] ?? valueType;
    const said = canonicalOf(field, inner);
    return said === undefined || isDefault(field, said) ? [] : [[name, said]];
  });
  return Object.fromEntries(fields);
}

function leafOf(value: unknown): Json {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw new Error(`a document cannot hold a ${typeof value}`);
}

/** Whether leaving the field out says the same. */
function isDefault(field: unknown, said: Json): boolean {
  if (!(field instanceof z.ZodType)) return false;
  const parsed = field.safeParse(undefined);
  const implied = parsed.success ? canonicalOf(field, parsed.data) : undefined;
  return implied !== undefined && isSame(implied, said);
}

interface Parts {
  shape?: Readonly<Record<string, unknown>>;
  element?: unknown;
  valueType?: unknown;
}

/** What an object, array or record consists of, without what is wrapped around it. */
function partsOf(schema: unknown): Parts {
  if (!(schema instanceof z.ZodType)) return {};
  const { def } = schema._zod;
  if ('innerType' in def) return partsOf(def.innerType);
  // What a transform takes; what it makes of it is no document.
  if ('in' in def) return partsOf(def.in);
  return def as Parts; // as: the parts that are not there are undefined
}

/** The text with sorted keys that a digest is made of. */
export function canonicalText(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const fields = Object.entries(value)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, inner]) => `${JSON.stringify(name)}:${canonicalText(inner)}`);
  return `{${fields.join(',')}}`;
}

/** The SHA-256 under which a body is stored. */
export function digestOf(body: Json): string {
  return createHash('sha256').update(canonicalText(body)).digest('hex');
}

export function isSame(one: Json | undefined, other: Json | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return canonicalText(one) === canonicalText(other);
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
