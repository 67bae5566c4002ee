import { operatorAction, refuse } from '../../platform/operator-action.ts';
import { OwnedGameAccount, releaseForOperator } from './game-accounts.ts';

export const action = operatorAction({
  name: 'release-game-account',
  summary: 'Takes a game account from its owner, whose sessions end.',
  details:
    'Orders and points stay with the account that paid. It is refused while an order for the game account is open.',
  examples: [
    'release-game-account 01970000-0000-7000-8000-000000000000 --game solmere --game-account p-1001 --by ines --reason "ticket 4711"',
  ],
  permission: 'accounts.bind',
  input: OwnedGameAccount,
  positionals: ['accountId'],
  needsReason: true,
  effect: 'changes',
  run: async (tx, binding, { by, reason }) => {
    const result = await releaseForOperator(tx, { ...binding, by, reason });
    if (result === 'not_owned') refuse('this account does not own this game account');
    if (result === 'order_open') {
      refuse(
        'an order for this game account is open; it has to arrive, expire or be refunded first',
      );
    }
    return { released: `${binding.game} ${binding.gameAccount}` };
  },
});
