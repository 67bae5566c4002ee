import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Acknowledgement } from '../tools/books/acknowledgements.ts';

export interface AcknowledgementLog {
  /** Records what a caller was told for certain; it has to stay true from then on. */
  record(acknowledgement: Acknowledgement): void;
  /** The number of acknowledgements of each kind. */
  counts(): Record<string, number>;
  /** A file with one JSON line each, for the auditor and for debugging. */
  file: string;
}

const file = join(import.meta.dirname, '../.pointgate/drill/acknowledgements.jsonl');

export function openAcknowledgements(): AcknowledgementLog {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, '');
  const counts: Record<string, number> = {};
  return {
    record: (acknowledgement) => {
      counts[acknowledgement.what] = (counts[acknowledgement.what] ?? 0) + 1;
      appendFileSync(file, `${JSON.stringify({ at: new Date(), ...acknowledgement })}\n`);
    },
    counts: () => counts,
    file,
  };
}
