import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { operatorAction, refuse } from '../../platform/operator-action.ts';
import type { FirebaseParameters } from '../accounts/foreign-hashes.ts';
import { importPlayers, tryImport } from './player-imports.ts';

const Input = z.strictObject({
  file: z.string().describe('file'),
  format: z.enum(['ndjson', 'csv']).optional().describe('ndjson|csv'),
  hashParameters: z.string().optional().describe('file'),
  update: z.boolean().default(false),
  dryRun: z.boolean().default(false),
});

export const action = operatorAction({
  name: 'import-players',
  summary: 'Imports players with their password hashes from a file of another system.',
  details:
    'A line is one player. An import that was stopped goes on when the same command is run again. ' +
    'Refused lines are in <file>.refused.tsv. See docs/import-players.md.',
  examples: [
    'import-players players.ndjson --dry-run --by ines',
    'import-players players.csv --update --by ines',
    'import-players players.ndjson --hash-parameters firebase.json --by ines',
  ],
  permission: 'players.import',
  input: Input,
  positionals: ['file'],
  effect: 'works',
  run: async ({ db, checks, openSession }, input, { by, at: now, note }) => {
    const { file, update: isUpdate, dryRun, hashParameters } = input;
    const format = input.format ?? (file.toLowerCase().endsWith('.csv') ? 'csv' : 'ndjson');
    const firebase = hashParameters === undefined ? undefined : await readFirebase(hashParameters);
    const { identityKeyOf } = checks;
    const parts = { db, identityKeyOf, openSession, note, now };
    const asked = { file, format, firebase, isUpdate, by };
    return dryRun
      ? { wouldImport: await tryImport(parts, asked) }
      : { imported: await importPlayers(parts, asked) };
  },
});

const Base64 = z.string().regex(/^[\w+/-]+=*$/);
/** With the names that Firebase gives them. */
const Firebase = z
  .object({
    base64_signer_key: Base64,
    base64_salt_separator: Base64,
    rounds: z.int().min(1).max(1_000),
    mem_cost: z.int().min(1).max(30),
  })
  .transform(
    (given): FirebaseParameters => ({
      signerKey: given.base64_signer_key,
      saltSeparator: given.base64_salt_separator,
      rounds: given.rounds,
      memCost: given.mem_cost,
    }),
  );

async function readFirebase(file: string): Promise<FirebaseParameters> {
  const text = await readFile(file, 'utf8').catch(() => refuse(`${file} cannot be read`));
  try {
    return Firebase.parse(JSON.parse(text));
  } catch {
    return refuse(
      `${file} needs base64_signer_key, base64_salt_separator, rounds and mem_cost, as JSON`,
    );
  }
}
