import pg from 'pg';

// What a test in a browser cannot wait for, or has no page for.

/** What a day does to a shop: limits begin anew, and tickets of games are too old. */
export async function passDay(databaseUrl: string): Promise<void> {
  await run(databaseUrl, 'delete from limit_counters');
  await run(
    databaseUrl,
    "update arrival_tickets set expires_at = now() - interval '1 second' where expires_at > now()",
  );
  await endResetWait(databaseUrl);
}

/** What three days do to whoever has just set a new password with a code. */
export async function endResetWait(databaseUrl: string): Promise<void> {
  await run(
    databaseUrl,
    `update accounts set reset_at = null, waits_since = null, waits_until = null
     where num_nonnulls(reset_at, waits_until) > 0`,
  );
}

/** What half an hour does to an order that nobody pays. The worker then closes it. */
export async function endTimeToPay(databaseUrl: string, paymentId: string): Promise<void> {
  const statement =
    "update orders set expire_at = now() - interval '1 second' where payment_id = $1";
  await run(databaseUrl, statement, [paymentId]);
}

/** What an operator does who changes how players may sign in. The shop sees it a moment later. */
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
