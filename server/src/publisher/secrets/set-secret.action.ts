import { z } from 'zod';
import { operatorAction } from '../../platform/operator-action.ts';
import { setSecret } from './secret-changes.ts';
import { checkedValue, ownerFields } from './secret-fields.ts';

export const action = operatorAction({
  name: 'secret-set',
  summary: 'Sets a secret of a game or a merchant account, in place of every earlier one.',
  details: `The owner is game:<id> or contract:<name>. Without --name it is a game's signing secret,
or the keys of a merchant account as JSON, as in CONTRACTS.
Every earlier value is refused at once: secret-rotate changes a game's secret while it is used.
With --generate the shop makes the value and shows it once. It cannot be shown again.`,
  examples: [
    'secret-set game:solmere --generate --by ines',
    'secret-set contract:stripe-eu --by ines < stripe-eu.json',
    'secret-set game:solmere --name token-keys --by ines < keys.json',
  ],
  permission: 'secrets.change',
  input: z.strictObject({
    ...ownerFields,
    generate: z.boolean().default(false),
    value: z.string().optional(),
  }),
  positionals: ['owner'],
  secretInput: { field: 'value', unless: ['generate'] },
  needsStepUp: true,
  effect: 'changes',
  run: async (tx, input, { by, at, parts: { secrets } }) => {
    const { kind, value, shown } = await checkedValue(secrets, input);
    const { owner } = input;
    const set = await setSecret(tx, secrets, { owner, name: kind.name, value, by, at });
    return { ...set, ...shown };
  },
});
