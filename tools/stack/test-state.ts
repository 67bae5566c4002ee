import pg from 'pg';

// Changes to the database for browser tests, in place of waiting or of missing pages.

/** Simulates the passing of a day: resets limits and expires tickets of games. */
export async function simulateNextDay(databaseUrl: string): Promise<void> {
  await run(databaseUrl, 'delete from limit_counters');
  await run(
    databaseUrl,
    "update arrival_tickets set expires_at = now() - interval '1 second' where expires_at > now()",
  );
  await endResetWait(databaseUrl);
}

/** Simulates the passing of three days after a password reset with a code. */
export async function endResetWait(databaseUrl: string): Promise<void> {
  await run(
    databaseUrl,
    `update accounts set reset_at = null, waits_since = null, waits_until = null
     where num_nonnulls(reset_at, waits_until) > 0`,
  );
}

/** Simulates the passing of half an hour for an unpaid order. The worker then closes it. */
export async function endTimeToPay(databaseUrl: string, paymentId: string): Promise<void> {
  const statement =
    "update orders set expire_at = now() - interval '1 second' where payment_id = $1";
  await run(databaseUrl, statement, [paymentId]);
}

/** Changes the sign-in methods like an operator. The shop reads the change a moment later. */
export async function offerMethods(databaseUrl: string, methods: readonly string[]): Promise<void> {
  await run(databaseUrl, 'update sites set login_methods = $1', [methods]);
}

async function run(databaseUrl: string, statement: string, values: unknown[] = []): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(statement, values);
  } finally {
    await client.end();
  }
}
