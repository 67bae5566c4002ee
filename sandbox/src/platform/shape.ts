/** Reads an unknown value as a T, or throws a ShapeError that says what is wrong where. */
export type Reader<T> = (value: unknown, at: string) => T;

export type ReadBy<R> = R extends Reader<infer T> ? T : never;

export class ShapeError extends Error {}

export const text: Reader<string> = (value, at) => {
  if (typeof value !== 'string') throw new ShapeError(`${at} must be a string`);
  return value;
};

/** A non-empty string of limited length. */
export const name: Reader<string> = (value, at) => {
  const found = text(value, at);
  if (found === '' || found.length > 200) throw new ShapeError(`${at} must have 1 to 200 letters`);
  return found;
};

export const whole: Reader<number> = (value, at) => {
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) {
    throw new ShapeError(`${at} must be a whole number`);
  }
  return value;
};

export const flag: Reader<boolean> = (value, at) => {
  if (typeof value !== 'boolean') throw new ShapeError(`${at} must be true or false`);
  return value;
};

export function atLeast(minimum: number): Reader<number> {
  return (value, at) => {
    const found = whole(value, at);
    if (found < minimum) throw new ShapeError(`${at} must be at least ${minimum}`);
    return found;
  };
}

export function oneOf<const T extends string>(words: readonly T[]): Reader<T> {
  return (value, at) => {
    const found = words.find((word) => word === value);
    if (found === undefined) throw new ShapeError(`${at} must be one of ${words.join(', ')}`);
    return found;
  };
}

export function either<A, B>(first: Reader<A>, second: Reader<B>): Reader<A | B> {
  return (value, at) => {
    try {
      return first(value, at);
    } catch (error) {
      if (!(error instanceof ShapeError)) throw error;
      return second(value, at);
    }
  };
}

export function optional<T>(reader: Reader<T>): Reader<T | undefined> {
  return (value, at) => (value === undefined ? undefined : reader(value, at));
}

export function nullable<T>(reader: Reader<T>): Reader<T | null> {
  return (value, at) => (value === null ? null : reader(value, at));
}

export function listOf<T>(reader: Reader<T>): Reader<T[]> {
  return (value, at) => {
    if (!Array.isArray(value)) throw new ShapeError(`${at} must be a list`);
    return value.map((entry, index) => reader(entry, `${at}[${index}]`));
  };
}

/** Reads each field with its reader and refuses unknown fields. */
export function object<T extends object>(fields: { [K in keyof T]: Reader<T[K]> }): Reader<T> {
  return (value, at) => {
    if (!isRecord(value)) throw new ShapeError(`${at} must be an object`);
    const unknown = Object.keys(value).find((key) => !Object.hasOwn(fields, key));
    if (unknown !== undefined) throw new ShapeError(`${at}.${unknown} is not known here`);
    const found: Partial<T> = {};
    for (const key in fields) found[key] = fields[key](value[key], `${at}.${key}`);
    // Safe: every field of T has a reader, and each has validated its value above.
    return found as T;
  };
}

/** Reads text columns that hold JSON. */
export function json<T>(reader: Reader<T>): Reader<T> {
  return (value, at) => reader(JSON.parse(text(value, at)), at);
}

export function recordOf<T>(reader: Reader<T>): Reader<Record<string, T>> {
  return (value, at) => {
    if (!isRecord(value)) throw new ShapeError(`${at} must be an object`);
    return Object.fromEntries(
      Object.entries(value).map(([key, entry]) => [key, reader(entry, `${at}.${key}`)]),
    );
  };
}

/** For what the sandbox does not read. */
export const anything: Reader<unknown> = (value) => value;

export const textRecord: Reader<Record<string, string>> = recordOf(text);

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
