import { inspect } from 'node:util';

/** A value that never appears in a log, reply or error message unless `reveal` is called. */
export interface Secret<T> {
  reveal(): T;
  toJSON(): string;
  toString(): string;
}

const shown = '[redacted]';

export function secret<T>(value: T): Secret<T> {
  const hide = () => shown;
  return Object.freeze({
    reveal: () => value,
    toJSON: hide,
    toString: hide,
    [inspect.custom]: hide,
  });
}
