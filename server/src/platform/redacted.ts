import { inspect } from 'node:util';

/** A value that no log, reply or error message gets by accident: it has to be asked for by name. */
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
