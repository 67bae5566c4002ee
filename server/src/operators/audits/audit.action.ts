import { z } from 'zod';
import { operatorAction, refuse } from '../../platform/operator-action.ts';
import { signingSecretOf } from '../../publisher/secrets/secrets.ts';
import type { Shop } from '../../wiring/app.ts';
import { type AuditAsked, auditDatabase } from './audits.ts';

const progressEveryMs = 1_000;

export const action = operatorAction({
  name: 'audit',
  summary: 'Checks all tables of the shop, or of a copy of it, and stores the result.',
  details: `With --database it reads a replica, or the shop as a user who may only read.
With --month it checks only the orders of these months and their settlement.
--ask-games compares with what the games in GAMES_WITH_LIST say that they gave, --ask-providers with
what Stripe and PayPal say that they took and gave back.
It ends with 0 if all is in order, with 1 if it is not, and with 2 if something could not be read or
somebody could not be asked.`,
  examples: ['audit --by ines', 'audit --by ines --month 2026-10 --month 2026-11 --ask-games'],
  permission: 'audits.run',
  input: z.strictObject({
    database: z.string().refine(URL.canParse, 'is no address of PostgreSQL').optional(),
    month: z
      .array(z.string().regex(/^\d{4}-\d{2}$/, 'is no month as 2026-10 is'))
      .optional()
      .describe('month'),
    askGames: z.boolean().default(false),
    askProviders: z.boolean().default(false),
  }),
  // The result is stored with the name of who asked, even if the shop's own database is down.
  effect: 'reads',
  run: async (shop, { database, month: months = null, askGames, askProviders }, call) => {
    const { db, config } = shop;
    // Status 2, because 1 would mean that an invariant is broken.
    const by = call.by ?? refuse('--by is missing', 2);
    const databaseUrl = database ?? config.DATABASE_URL;
    const games = askGames ? await gamesWithList(shop) : [];
    const accounts = askProviders ? await accountsWithList(shop) : [];
    let noted = 0;
    const { auditId, verdict, report } = await auditDatabase(
      db,
      { databaseUrl, months, games, accounts, by },
      ({ part, done, perSecond }) => {
        if (performance.now() - noted < progressEveryMs) return;
        noted = performance.now();
        call.note(`${part}: ${done} so far, ${perSecond} a second`);
      },
    );
    if (auditId === null) {
      if (verdict !== 'unreadable') await call.print(`${report}\n`);
      refuse("It could not be kept: the shop's database cannot be reached.", 2);
    }
    if (verdict === 'unreadable') refuse(report, 2);
    await call.print(`${report}\n`);
    call.note(`Kept as audit ${auditId}.`);
    if (verdict === 'not_asked') refuse('Who could not be asked is in a case now.', 2);
    if (verdict === 'not_in_order') refuse('What is wrong is a case now.', 1);
  },
});

/** Games that can list their grants, with the secrets that sign calls to them. */
async function gamesWithList({ catalogue, config, secrets }: Shop) {
  const { GAMES_WITH_LIST: gameIds, APP_ENV } = config;
  if (gameIds.length === 0) refuse('GAMES_WITH_LIST names no game that could be asked', 2);
  return await Promise.all(
    gameIds.map(async (gameId) => {
      const game = await catalogue.game(gameId);
      const [secret] = await secrets.of(signingSecretOf(gameId));
      if (game === undefined) refuse(`there is no game ${gameId}`, 2);
      if (secret === undefined) refuse(`the game ${gameId} has no secret`, 2);
      return { gameId, apiUrl: game.apiUrl, secret, isSandbox: APP_ENV !== 'production' };
    }),
  );
}

const paypalHosts = {
  production: 'https://api-m.paypal.com',
  sandbox: 'https://api-m.sandbox.paypal.com',
};

/** Contracts with providers that can list charges and refunds, with their credentials. */
async function accountsWithList({ merchantAccounts }: Shop): Promise<AuditAsked['accounts']> {
  return (await merchantAccounts.contracts()).flatMap((contract): AuditAsked['accounts'] => {
    const { name, provider } = contract;
    if (provider === 'stripe') {
      const { secretKey, apiBase: url = 'https://api.stripe.com' } = contract;
      return [{ name, provider, url, secretKey }];
    }
    if (provider === 'paypal') {
      const { clientId, clientSecret, environment, route } = contract;
      const url = paypalHosts[environment];
      return [{ name, provider, url, clientId, clientSecret, ...(route && { route }) }];
    }
    return [];
  });
}
