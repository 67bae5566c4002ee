import type { Outside } from '../audit-database.ts';
import { compareGame } from './ask-games.ts';
import type { AskedGame } from './game-list.ts';
import { Unasked } from './unasked.ts';

interface Parties {
  games: readonly AskedGame[];
}

/**
 * Asks games what they gave. What happened less than two minutes before `nowMs`, when the
 * tables began to be read, may be under way. Whoever cannot be asked is noted, and is asked no more.
 */
export function askOutside({ games }: Parties, nowMs: number): Outside | undefined {
  if (games.length === 0) return undefined;
  const silent = new Set<string>();
  return {
    compareRange: async (audit, range, orders) => {
      // Nothing is known of orders that are not here.
      if (range.state === 'archived') return;
      const told = { range, orders, nowMs };
      const parties = games.map((game) => ({
        ...{ id: 'I6', party: `game ${game.gameId}` },
        compare: () => compareGame(audit, told, game),
      }));
      for (const { id, party, compare } of parties) {
        if (silent.has(party)) continue;
        try {
          await compare();
        } catch (error) {
          if (!(error instanceof Unasked)) throw error;
          silent.add(party);
          audit.findings.miss(id, { party, reason: error.message });
        }
      }
    },
  };
}
