import pg from 'pg';
import type { Finding } from './report.ts';
import { checkShop } from './shop-invariants.ts';
import { checkWorld } from './world-invariants.ts';

export interface BooksAddresses {
  databaseUrl: string;
  sandbox: { stripe: string; game: string };
}

/** Holds the shop's tables against each other and against what the outside world remembers. */
export async function checkBooks(
  { databaseUrl, sandbox }: BooksAddresses,
  nowMs: number = Date.now(),
): Promise<Finding[]> {
  const database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  try {
    // One moment for all tables, so that work under way is not taken for a contradiction.
    await database.query('begin transaction isolation level repeatable read, read only');
    const shop = await checkShop(database);
    const world = await checkWorld(database, sandbox, nowMs);
    return [...shop, ...world];
  } finally {
    await database.end();
  }
}
