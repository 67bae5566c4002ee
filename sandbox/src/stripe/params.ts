import { invalid } from './failure.ts';
import type { Form } from './form.ts';

/** Reads one group of parameters; `at` is its name in error messages, empty for the top level. */
export type Params = { form: Form; at: string };

export function refuseUnknown(params: Params, known: readonly string[]): void {
  const unknown = Object.keys(params.form).find((key) => !known.includes(key));
  if (unknown === undefined) return;
  const param = nameOf(params, unknown);
  throw invalid(`Received unknown parameter: ${param}`, param, 'parameter_unknown');
}

export function optionalText(params: Params, key: string, lengthMax: number): string | null {
  const value = params.form[key];
  // Stripe treats an empty value as missing.
  if (value === undefined || value === '') return null;
  const param = nameOf(params, key);
  if (typeof value !== 'string') throw invalid('Invalid string', param);
  if (value.length > lengthMax) {
    throw invalid(`Invalid string: must be at most ${lengthMax} characters`, param);
  }
  return value;
}

export function requiredText(params: Params, key: string, lengthMax: number): string {
  return optionalText(params, key, lengthMax) ?? fail(params, key);
}

export function optionalWhole(params: Params, key: string): number | null {
  const value = optionalText(params, key, 40);
  if (value === null) return null;
  const param = nameOf(params, key);
  if (!/^-?\d{1,15}$/.test(value)) {
    throw invalid(`Invalid integer: ${value}`, param, 'parameter_invalid_integer');
  }
  return Number(value);
}

export function requiredWhole(params: Params, key: string): number {
  return optionalWhole(params, key) ?? fail(params, key);
}

export function optionalWord<const T extends string>(
  params: Params,
  key: string,
  words: readonly T[],
): T | null {
  const value = optionalText(params, key, 100);
  if (value === null) return null;
  const word = words.find((candidate) => candidate === value);
  if (word !== undefined) return word;
  const param = nameOf(params, key);
  throw invalid(`Invalid ${param}: must be one of ${words.join(', ')}`, param);
}

export function optionalUrl(params: Params, key: string): string | null {
  const value = optionalText(params, key, 5000);
  if (value === null) return null;
  const scheme = URL.parse(value)?.protocol;
  if (scheme === 'http:' || scheme === 'https:') return value;
  throw invalid('Not a valid URL', nameOf(params, key), 'url_invalid');
}

export function group(params: Params, key: string): Params | null {
  const value = params.form[key];
  if (value === undefined || value === '') return null;
  const at = nameOf(params, key);
  if (typeof value === 'string') throw invalid('Invalid object', at);
  return { form: value, at };
}

export function requiredGroup(params: Params, key: string): Params {
  return group(params, key) ?? fail(params, key);
}

/** The entries of a list in the order of their indexes. */
export function groups(params: Params, key: string): Params[] {
  const list = group(params, key);
  if (list === null) return [];
  return Object.keys(list.form)
    .sort((a, b) => Number(a) - Number(b))
    .map((index) => requiredGroup(list, index));
}

/** Stripe's limits: 50 pairs, keys of up to 40 and values of up to 500 characters. */
export function metadata(params: Params, key: string): Record<string, string> {
  const found = group(params, key);
  if (found === null) return {};
  const names = Object.keys(found.form);
  if (names.length > 50) throw invalid('Metadata can have at most 50 keys', found.at);
  const long = names.find((name) => name.length > 40);
  if (long !== undefined) throw invalid('Metadata keys have at most 40 characters', found.at);
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = optionalText(found, name, 500);
      return value === null ? [] : [[name, value]];
    }),
  );
}

/** The values of `expand[]`; throws on a field that this object cannot expand. */
export function expansions(form: Form, possible: readonly string[]): Set<string> {
  const list = group({ form, at: '' }, 'expand');
  const wanted =
    list === null ? [] : Object.keys(list.form).map((key) => requiredText(list, key, 200));
  const impossible = wanted.find((path) => !possible.includes(path));
  if (impossible !== undefined) {
    throw invalid(`This property cannot be expanded (${impossible}).`, 'expand');
  }
  return new Set(wanted);
}

function nameOf(params: Params, key: string): string {
  return params.at === '' ? key : `${params.at}[${key}]`;
}

function fail(params: Params, key: string): never {
  const param = nameOf(params, key);
  throw invalid(`Missing required param: ${param}.`, param, 'parameter_missing');
}
