import { operatorAction, refuse } from '../../platform/operator-action.ts';
import { bindForOperator, OwnedGameAccount } from './game-accounts.ts';

export const action = operatorAction({
  name: 'bind-game-account',
  summary: 'Makes an account the owner of a game account that has none.',
  examples: [
    'bind-game-account 01970000-0000-7000-8000-000000000000 --game solmere --game-account p-1001 --by ines --reason "ticket 4711"',
  ],
  permission: 'accounts.bind',
  input: OwnedGameAccount,
  positionals: ['accountId'],
  needsReason: true,
  effect: 'changes',
  run: async (tx, binding, { by, reason }) => {
    const result = await bindForOperator(tx, { ...binding, by, reason });
    if (result === 'no_account') refuse(`there is no account ${binding.accountId}`);
    if (result === 'no_game') refuse(`there is no game ${binding.game}`);
    if (result === 'taken') {
      refuse('another account owns this game account: release it there first');
    }
    return { bound: `${binding.game} ${binding.gameAccount}` };
  },
});
