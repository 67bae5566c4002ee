import pg from 'pg';
import { z } from 'zod';

/** The database, and the sandbox address of each contract. */
interface Asked {
  databaseUrl: string;
  sandbox: Readonly<Record<string, string>>;
}

const ReportedBalances = z.object({ balances: z.record(z.string(), z.int()) });

const Sum = z.object({ psp: z.string(), unit: z.string(), amount: z.coerce.bigint() });

/**
 * The balance of `house:psp` with each provider, by players' payments and refunds and by the fees
 * and payouts of the settlement files. Read directly from the tables, independently of the shop's
 * code.
 */
const houseBalances = `
  select psp, unit, sum(case debit_book when 'house:psp' then amount_minor else -amount_minor end)::text as amount
  from (
    select coalesce(psp, '(unknown)') as psp, unit, debit_book, amount_minor from ledger_transfers
    where 'house:psp' in (debit_book, credit_book)
    union all
    select psp, unit, debit_book, amount_minor from house_transfers
  ) as transfers
  group by psp, unit`;

/**
 * The differences between `house:psp` and the balances of the providers, a line each. Only for a
 * shop whose days are all reconciled, because later movements at a provider are not in our books.
 */
export async function balanceDifferences({ databaseUrl, sandbox }: Asked): Promise<string[]> {
  const ours = await balancesInBooks(databaseUrl);
  const theirs = new Map<string, bigint>();
  for (const [psp, url] of Object.entries(sandbox)) {
    const reply = await fetch(`${url}/__sandbox/balance`);
    if (!reply.ok) throw new Error(`${psp} answered ${reply.status} about its balance`);
    for (const [unit, amount] of Object.entries(
      ReportedBalances.parse(await reply.json()).balances,
    )) {
      theirs.set(`${psp} ${unit}`, BigInt(amount));
    }
  }
  return [...new Set([...ours.keys(), ...theirs.keys()])].sort().flatMap((what) => {
    const [here, there] = [ours.get(what) ?? 0n, theirs.get(what) ?? 0n];
    return here === there ? [] : [`${what}: house:psp is ${here}, the provider has ${there}`];
  });
}

async function balancesInBooks(databaseUrl: string): Promise<Map<string, bigint>> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query(houseBalances);
    return new Map(
      z
        .array(Sum)
        .parse(rows)
        .map(({ psp, unit, amount }) => [`${psp} ${unit}`, amount]),
    );
  } finally {
    await client.end();
  }
}
