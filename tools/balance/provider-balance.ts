import pg from 'pg';
import { z } from 'zod';

/** Where the tables are, and each provider's sandbox by the contract's name. */
interface Asked {
  databaseUrl: string;
  sandbox: Readonly<Record<string, string>>;
}

const Told = z.object({ balances: z.record(z.string(), z.int()) });

const Sum = z.object({ psp: z.string(), unit: z.string(), amount: z.coerce.bigint() });

/**
 * What `house:psp` holds with each provider, by what players paid and got back and by what the provider's
 * files say of fees and payouts. From the tables, through no code of the shop.
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
 * Where our books say of what lies with a provider something else than the provider does, a line each. What a
 * provider did since its last file was read is not in our books: all days have to be compared.
 */
export async function unlikeBalances({ databaseUrl, sandbox }: Asked): Promise<string[]> {
  const ours = await balancesInBooks(databaseUrl);
  const theirs = new Map<string, bigint>();
  for (const [psp, url] of Object.entries(sandbox)) {
    const reply = await fetch(`${url}/__sandbox/balance`);
    if (!reply.ok) throw new Error(`${psp} answered ${reply.status} about its balance`);
    for (const [unit, amount] of Object.entries(Told.parse(await reply.json()).balances)) {
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
