import { z } from 'zod';
import { operatorAction, refuse } from '../../platform/operator-action.ts';
import { addNextSecret, cancelRotation, finishRotation, kindOf } from './secret-changes.ts';
import { checkedValue, ownerFields } from './secret-fields.ts';

export const action = operatorAction({
  name: 'secret-rotate',
  summary: 'Replaces the signing secret of a game while it is used, in two steps.',
  details: `First a next secret is made: the shop accepts it from the game at once and goes on signing with
the current one. Let the game accept both and sign with the next one.
Then --finish: the shop signs with it, and refuses the earlier one. Every process follows within two
seconds, so let the game accept the earlier one for some seconds more.
--cancel erases the next secret instead.`,
  examples: [
    'secret-rotate game:solmere --generate --by ines',
    'secret-rotate game:solmere --by ines < next-secret',
    'secret-rotate game:solmere --finish --by ines',
    'secret-rotate game:solmere --cancel --by ines',
  ],
  permission: 'secrets.change',
  input: z.strictObject({
    ...ownerFields,
    generate: z.boolean().default(false),
    finish: z.boolean().default(false),
    cancel: z.boolean().default(false),
    value: z.string().optional(),
  }),
  positionals: ['owner'],
  secretInput: { field: 'value', unless: ['generate', 'finish', 'cancel'] },
  needsStepUp: true,
  effect: 'changes',
  run: async (tx, input, { by, at, parts: { secrets } }) => {
    const { owner, generate, finish, cancel } = input;
    if ([generate, finish, cancel].filter(Boolean).length > 1) {
      refuse('--generate, --finish and --cancel exclude each other', 2);
    }
    const { name, rotates } = kindOf(secrets, owner, input.name);
    if (!rotates) refuse(`${name} of ${owner} has room for two keys: set it with secret-set`);
    if (finish) return await finishRotation(tx, secrets, { owner, name, by, at });
    if (cancel) return await cancelRotation(tx, secrets, { owner, name, by, at });
    const { value, shown } = await checkedValue(secrets, input);
    return { ...(await addNextSecret(tx, secrets, { owner, name, value, by, at })), ...shown };
  },
});
