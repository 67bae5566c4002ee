import { createHmac } from 'node:crypto';

/** The same for the same value, so that it can be searched; tells nobody without the key what it is. */
export type BlindIndex = (column: string, normalised: string) => Buffer;

/** 32 bytes. A plain hash would not do: all phone numbers there are can be tried in minutes. */
export function openBlindIndex(key: Buffer): BlindIndex {
  return (column, normalised) =>
    createHmac('sha256', key).update(`${column}\0${normalised}`).digest();
}
