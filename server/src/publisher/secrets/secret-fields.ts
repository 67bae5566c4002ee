import { z } from 'zod';
import { refuse } from '../../platform/operator-action.ts';
import { kindOf, newSecretValue } from './secret-changes.ts';
import type { Secrets } from './secrets.ts';

/** The fields that say which secret is meant. */
export const ownerFields = {
  owner: z
    .string()
    .regex(/^[a-z]+:[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/, 'is no owner as game:solmere is'),
  name: z.string().optional(),
};

const valueLengthMax = 64 * 1024;

/** The value that the operator gave or the shop made, after all checks of its kind. */
export async function checkedValue(
  secrets: Secrets,
  input: {
    owner: string;
    name?: string | undefined;
    generate: boolean;
    value?: string | undefined;
  },
) {
  const { owner } = input;
  const kind = kindOf(secrets, owner, input.name);
  if (input.generate && !kind.rotates) refuse(`${kind.name} of ${owner} cannot be made up`);
  const value = input.generate ? newSecretValue() : (input.value ?? '').replace(/\r?\n$/, '');
  const inUse = await secrets.all(kind.name, 'again');
  const complaint =
    value.length > valueLengthMax ? 'is too long' : kind.complaintAbout(value, owner, inUse);
  if (complaint !== undefined) refuse(`the value on standard input ${complaint}`);
  return { kind, value, shown: input.generate ? { value } : {} };
}
