import { z } from 'zod';
import { type PaymentProviderName, paymentProviders } from '../stack/payment-providers.ts';

// Reads the records of the sandbox services directly, never through the shop.

/** The addresses of the payment providers and the game. */
export type SandboxAddresses = { game: string } & Partial<Record<PaymentProviderName, string>> & {
    /** Further provider accounts, by their names. */
    merchantAccounts?: Readonly<Record<string, string>>;
  };

/** An account with a payment provider. */
export interface Provider {
  /** The name of the merchant account in the shop's tables. */
  psp: string;
  url: string;
}

export function providersIn(sandbox: SandboxAddresses): Provider[] {
  const own = paymentProviders.flatMap((psp) => {
    const url = sandbox[psp];
    return url === undefined ? [] : [{ psp, url }];
  });
  const more = Object.entries(sandbox.merchantAccounts ?? {}).map(([psp, url]) => ({ psp, url }));
  return [...own, ...more];
}

export async function read(url: string): Promise<unknown> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return await response.json();
}

const pageSize = 10_000;

/** All records of a paginated list, under this field name. */
export async function readAll<Record>(
  url: URL,
  name: string,
  record: z.ZodType<Record>,
): Promise<Record[]> {
  const records: Record[] = [];
  let after: number | null = Number(url.searchParams.get('after') ?? 0);
  while (after !== null) {
    url.searchParams.set('after', String(after));
    url.searchParams.set('limit', String(pageSize));
    const page = z.looseObject({ next: z.int().nullable() }).parse(await read(url.href));
    records.push(...z.array(record).parse(page[name]));
    after = page.next;
  }
  return records;
}

/**
 * The records of payments with ids in a range; records without a payment are in the first range.
 */
export async function readRange<Record>(
  home: string,
  wanted: { kind: string; record: z.ZodType<Record>; range: { from: string; until: string } },
): Promise<Record[]> {
  const { kind, record, range } = wanted;
  const url = new URL(`${home}/__sandbox/${kind}?from=${range.from}&until=${range.until}`);
  return await readAll(url, kind, record);
}
