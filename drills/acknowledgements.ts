import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Told } from '../tools/books/acknowledged.ts';

export interface AcknowledgementLog {
  /** Something a caller was told for certain, so that from then on it has to be true. */
  note(acknowledgement: Told): void;
  /** How many there are of each kind. */
  counts(): Record<string, number>;
  /** A line of JSON each: for the auditor, and for whoever has to find out what went wrong. */
  file: string;
}

const file = join(import.meta.dirname, '../.pointgate/drill/acknowledgements.jsonl');

export function openAcknowledgements(): AcknowledgementLog {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, '');
  const counts: Record<string, number> = {};
  return {
    note: (acknowledgement) => {
      counts[acknowledgement.what] = (counts[acknowledgement.what] ?? 0) + 1;
      appendFileSync(file, `${JSON.stringify({ at: new Date(), ...acknowledgement })}\n`);
    },
    counts: () => counts,
    file,
  };
}
