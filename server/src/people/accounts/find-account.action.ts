import { z } from 'zod';
import { operatorAction, refuse } from '../../platform/operator-action.ts';
import { accountOfKey } from './accounts.ts';
import { ownerOf } from './game-accounts.ts';
import type { IdentityKeyOf } from './identity-keys.ts';

const TypedName = z.union([
  z.strictObject({ loginName: z.string() }),
  z.strictObject({ email: z.string() }),
  z.strictObject({ phone: z.string() }),
]);
const Wanted = z.union(
  [TypedName, z.strictObject({ gameId: z.string(), gameAccountId: z.string() })],
  'is neither {"loginName"}, {"email"}, {"phone"} nor {"gameId", "gameAccountId"}',
);

export const action = operatorAction({
  name: 'find-account',
  summary: 'Finds the account of a login name, mail address, phone number or game account.',
  details:
    'Standard input is, for example, {"email": "ana@example.com"}. `account` shows more of it.',
  examples: ['find-account --by ines < wanted.json'],
  permission: 'accounts.read',
  input: z.strictObject({ wanted: Wanted }),
  standardInput: 'wanted',
  hasPersonalInput: true,
  effect: 'reveals',
  run: async ({ db, checks }, { wanted }) => {
    const accountId = await db.transaction(async (tx) => {
      if ('gameId' in wanted) return await ownerOf(tx, wanted);
      return await accountOfKey(tx, checks.identityKeyOf(identityIn(wanted)));
    });
    return accountId === undefined ? refuse('there is no such account') : { accountId };
  },
});

function identityIn(wanted: z.output<typeof TypedName>): Parameters<IdentityKeyOf>[0] {
  if ('loginName' in wanted) return { accountType: 'ACCOUNT', subject: wanted.loginName };
  if ('email' in wanted) return { accountType: 'EMAIL', subject: wanted.email };
  return { accountType: 'MOBILE', subject: wanted.phone };
}
