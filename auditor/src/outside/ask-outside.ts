import { z } from 'zod';
import type { Outside } from '../audit-database.ts';
import { compareAccount } from './ask-accounts.ts';
import { compareGame } from './ask-games.ts';
import type { AskedGame } from './game-list.ts';
import { NoAnswer } from './no-answer.ts';
import { openPaypal, PaypalAccount } from './paypal.ts';
import { openStripe, StripeAccount } from './stripe.ts';

/** An account with a provider that can list charges and refunds, with its credentials. */
export const AskedAccount = z.discriminatedUnion('provider', [StripeAccount, PaypalAccount]);
type AskedAccount = z.output<typeof AskedAccount>;

interface Parties {
  games?: readonly AskedGame[];
  accounts?: readonly AskedAccount[];
}

/**
 * Asks games for their grants, and providers for their charges and refunds. Events less than two
 * minutes before `nowMs`, when reading of the tables began, may still be in progress. A party that
 * cannot be asked is recorded and not asked again.
 */
export function askOutside(
  { games = [], accounts = [] }: Parties,
  nowMs: number,
): Outside | undefined {
  if (games.length + accounts.length === 0) return undefined;
  const opened = accounts.map((account) =>
    account.provider === 'stripe' ? openStripe(account) : openPaypal(account),
  );
  const unavailable = new Set<string>();
  return {
    compareRange: async (audit, range, orders) => {
      // Archived orders are not in the tables.
      if (range.state === 'archived') return;
      const input = { range, orders, nowMs };
      const parties = [
        ...opened.map((account) => ({
          id: 'I3',
          party: account.name,
          compare: () => compareAccount(audit, input, account),
        })),
        ...games.map((game) => ({
          id: 'I6',
          party: `game ${game.gameId}`,
          compare: () => compareGame(audit, input, game),
        })),
      ];
      for (const { id, party, compare } of parties) {
        if (unavailable.has(party)) continue;
        try {
          await compare();
        } catch (error) {
          if (!(error instanceof NoAnswer)) throw error;
          unavailable.add(party);
          audit.findings.addNotAsked(id, { party, reason: error.message });
        }
      }
    },
  };
}
