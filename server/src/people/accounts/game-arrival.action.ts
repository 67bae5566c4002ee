import { Slug } from '@pointgate/contract/names.ts';
import { z } from 'zod';
import { operatorAction, refuse } from '../../platform/operator-action.ts';
import { ruleNewPlayers } from './game-accounts.ts';

export const action = operatorAction({
  name: 'game-arrival',
  summary: 'Sets whether signed arrivals from a game make accounts for players who have none.',
  details:
    'With `create`, whoever has a signing secret of the game can make accounts. A tenth of the limit in one minute opens a case; beyond the limit the game is told to come back later.',
  examples: [
    'game-arrival solmere create --by ines --reason "the game opens its shop"',
    'game-arrival solmere create --per-minute 20000 --by ines --reason "launch day"',
  ],
  permission: 'games.change',
  input: z.strictObject({
    gameId: z.string().refine((id) => Slug.safeParse(id).success, 'is no id of a game'),
    arrival: z.enum(['create', 'known_only'], 'is neither create nor known_only'),
    perMinute: z.coerce
      .number()
      .int()
      .min(1)
      .max(1_000_000)
      .optional()
      .describe('new players per minute'),
  }),
  positionals: ['gameId', 'arrival'],
  needsReason: true,
  effect: 'changes',
  run: async (tx, { gameId, arrival, perMinute = null }) => {
    const isKnown = await ruleNewPlayers(tx, { gameId, arrival, perMinute });
    return isKnown ? { game: gameId, arrival } : refuse(`there is no game ${gameId}`);
  },
});
