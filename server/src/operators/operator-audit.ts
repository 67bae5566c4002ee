import type { Shop } from '../wiring/app.ts';
import type { Config } from '../wiring/config.ts';
import { contractsOf } from '../wiring/payment-contracts.ts';
import { type AuditAsked, auditDatabase } from './audits/audits.ts';
import { type Call, Refusal, refuse } from './operator-call.ts';

const progressEveryMs = 1_000;

/**
 * Prints progress and findings; refuses with status 1 if an invariant is broken, and 2 if something
 * could not be read.
 */
export async function audit(shop: Shop, { values, print, note }: Call) {
  const { db, config } = shop;
  // Status 2, because 1 would mean that an invariant is broken.
  const by = values.by ?? refuse('--by is missing', 2);
  const databaseUrl = values.database ?? config.DATABASE_URL;
  if (!URL.canParse(databaseUrl)) refuse('--database is no address of PostgreSQL', 2);
  const { month: months = null } = values;
  const wrong = months?.find((month) => !/^\d{4}-\d{2}$/.test(month));
  if (wrong !== undefined) refuse(`${wrong} is no month as 2026-10 is`, 2);
  const games = values['ask-games'] ? await gamesWithList(shop) : [];
  const accounts = values['ask-providers'] ? accountsWithList(config) : [];
  let told = 0;
  const { auditId, verdict, report } = await auditDatabase(
    db,
    { databaseUrl, months, games, accounts, by },
    ({ part, done, perSecond }) => {
      if (performance.now() - told < progressEveryMs) return;
      told = performance.now();
      note(`${part}: ${done} so far, ${perSecond} a second`);
    },
  );
  if (auditId === null) {
    if (verdict !== 'unreadable') await print(`${report}\n`);
    throw new Refusal("It could not be kept: the shop's database cannot be reached.", 2);
  }
  if (verdict === 'unreadable') throw new Refusal(report, 2);
  await print(`${report}\n`);
  note(`Kept as audit ${auditId}.`);
  if (verdict === 'not_asked') throw new Refusal('Who could not be asked is in a case now.', 2);
  if (verdict === 'not_in_order') throw new Refusal('What is wrong is a case now.', 1);
}

/** Games that can list their grants, with the secrets that sign calls to them. */
async function gamesWithList({ catalogue, config }: Shop) {
  const { GAMES_WITH_LIST: gameIds, GAME_SECRETS, APP_ENV } = config;
  if (gameIds.length === 0) refuse('GAMES_WITH_LIST names no game that could be asked', 2);
  return await Promise.all(
    gameIds.map(async (gameId) => {
      const game = await catalogue.game(gameId);
      const [secret] = GAME_SECRETS[gameId] ?? [];
      if (game === undefined || secret === undefined) refuse(`there is no game ${gameId}`, 2);
      return { gameId, apiUrl: game.apiUrl, secret, isSandbox: APP_ENV !== 'production' };
    }),
  );
}

const paypalHosts = {
  production: 'https://api-m.paypal.com',
  sandbox: 'https://api-m.sandbox.paypal.com',
};

/** Contracts with providers that can list charges and refunds, with their credentials. */
function accountsWithList(config: Config): AuditAsked['accounts'] {
  return contractsOf(config).flatMap((contract): AuditAsked['accounts'] => {
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
