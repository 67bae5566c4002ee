import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { openScratch, type Scratch, writeNote } from '../../test/scratch.ts';
import { eventually } from '../../test/shop.ts';
import { openLeadership } from './connections.ts';
import { isInTransaction, isOverload, rawExecutorOf, sql, type Tx } from './db.ts';
import { log } from './log.ts';

let scratch: Scratch;
beforeAll(async () => {
  log.level = 'silent';
  scratch = await openScratch();
});
afterAll(() => scratch.close());
beforeEach(() => scratch.executor.executeSql('truncate notes'));

const Note = z.object({ text: z.string() });
const Amount = z.object({ amount: z.bigint() });

describe('queries outside a transaction', () => {
  test('a database write outside a transaction is refused by PostgreSQL', async () => {
    const write = sql`insert into notes (text) values (${'slipped out'}) returning text`;
    await expect(scratch.db.many(Note, write)).rejects.toMatchObject({ code: '25006' });
    expect(await scratch.notes()).toEqual([]);
  });

  test('a database write outside a transaction is refused on a connection that has run a transaction before', async () => {
    const single = await openScratch({ connectionsMax: 1 });
    await single.db.transaction((tx) => writeNote(tx, 'allowed'));
    const write = sql`delete from notes returning text`;
    await expect(single.db.many(Note, write)).rejects.toMatchObject({ code: '25006' });
    expect(await single.notes()).toEqual(['allowed']);
    await single.close();
  });
});

describe('transactions', () => {
  test('a database transaction commits its writes and returns its result', async () => {
    const answer = await scratch.db.transaction(async (tx) => {
      await writeNote(tx, 'one');
      return await tx.run(sql`update notes set amount = ${7n}`);
    });
    expect(answer).toBe(1);
    expect(await scratch.notes()).toEqual(['one']);
  });

  test('a database transaction that throws is rolled back and passes the error on', async () => {
    const refused = scratch.db.transaction(async (tx) => {
      await writeNote(tx, 'half');
      throw new Error('refused by the rules');
    });
    await expect(refused).rejects.toThrow('refused by the rules');
    expect(await scratch.notes()).toEqual([]);
  });

  test('a database transaction that ignores a failed statement is rejected, rolled back and has no effects', async () => {
    const happened: string[] = [];
    const work = scratch.db.transaction(async (tx) => {
      await writeNote(tx, 'twice');
      tx.afterCommit(() => happened.push('announced'));
      await writeNote(tx, 'twice').catch(() => {});
    });
    await expect(work).rejects.toThrow('rolled back');
    expect(happened).toEqual([]);
    expect(await scratch.notes()).toEqual([]);
  });

  test('a function that a database transaction registers to run after its commit runs when the writes are visible to others', async () => {
    const seen: string[][] = [];
    const reads: Promise<unknown>[] = [];
    const wasInside: boolean[] = [];
    await scratch.db.transaction(async (tx) => {
      tx.afterCommit(() => {
        wasInside.push(isInTransaction());
        reads.push(scratch.notes().then((notes) => seen.push(notes)));
      });
      await writeNote(tx, 'committed');
      expect(reads).toEqual([]);
    });
    await Promise.all(reads);
    expect(seen).toEqual([['committed']]);
    expect(wasInside).toEqual([false]);
  });

  test('a function registered to run after a database commit that fails neither undoes the commit nor stops other such functions', async () => {
    const happened: string[] = [];
    const answer = await scratch.db.transaction(async (tx) => {
      tx.afterCommit(() => {
        throw new Error('nobody listens');
      });
      tx.afterCommit(() => happened.push('announced'));
      await writeNote(tx, 'kept');
      return 'done';
    });
    expect(answer).toBe('done');
    expect(happened).toEqual(['announced']);
    expect(await scratch.notes()).toContain('kept');
  });

  test('a database transaction that throws runs none of the functions registered to run after its commit', async () => {
    const happened: string[] = [];
    await expect(
      scratch.db.transaction(async (tx) => {
        tx.afterCommit(() => happened.push('announced'));
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    expect(happened).toEqual([]);
  });

  test('a nested database transaction is refused and rolls back the outer one', async () => {
    const nested = scratch.db.transaction(async (tx) => {
      await writeNote(tx, 'outer');
      await scratch.db.transaction((inner) => writeNote(inner, 'inner'));
    });
    await expect(nested).rejects.toThrow('inside another one');
    expect(await scratch.notes()).toEqual([]);
  });

  test('a database transaction whose connection dies is rolled back, and the next one gets a new connection', async () => {
    const pid = z.object({ pid: z.int() });
    const killed = scratch.db.transaction(async (tx) => {
      await writeNote(tx, 'lost');
      const backend = await tx.one(pid, sql`select pg_backend_pid() as pid`);
      await scratch.executor.executeSql('select pg_terminate_backend($1)', [backend.pid]);
      await writeNote(tx, 'more');
    });
    await expect(killed).rejects.toThrow();
    await scratch.db.transaction((tx) => writeNote(tx, 'after'));
    expect(await scratch.notes()).toEqual(['after']);
  });

  test('the database layer refuses a forged transaction object that db.transaction did not make', () => {
    const forged = { run: async () => 0 } as unknown as Tx; // as: that is what is tested
    expect(() => rawExecutorOf(forged)).toThrow('not made by db.transaction');
  });
});

describe('deadlocks and retries', () => {
  test('two database transactions in a deadlock both commit, because the one that PostgreSQL aborts is retried', async () => {
    await scratch.db.transaction(async (tx) => {
      await writeNote(tx, 'a');
      await writeNote(tx, 'b');
    });
    const attempts: string[] = [];
    const effects: string[] = [];
    const bothHold = barrier(2);
    const cross = (first: string, second: string) =>
      scratch.db.transaction(async (tx) => {
        attempts.push(first);
        tx.afterCommit(() => effects.push(first));
        await tx.run(sql`update notes set amount = amount + 1 where text = ${first}`);
        await bothHold();
        await tx.run(sql`update notes set amount = amount + 1 where text = ${second}`);
      });

    await Promise.all([cross('a', 'b'), cross('b', 'a')]);

    // A retried transaction may lock its row before the other one continues, and deadlock once
    // more.
    expect(attempts.length).toBeGreaterThanOrEqual(3);
    expect(effects.toSorted()).toEqual(['a', 'b']);
    const amounts = await scratch.db.many(Amount, sql`select amount from notes`);
    expect(amounts).toEqual([{ amount: 2n }, { amount: 2n }]);
  });

  test.each(['40P01', '40001'])(
    'a database transaction that always fails with SQLSTATE %s is given up after four attempts',
    async (code) => {
      let attempts = 0;
      const hopeless = scratch.db.transaction(async (tx) => {
        attempts += 1;
        await rawExecutorOf(tx).executeSql(`do $$ begin raise sqlstate '${code}'; end $$`);
      });
      await expect(hopeless).rejects.toMatchObject({ code });
      expect(attempts).toBe(4);
    },
  );

  test('a database transaction that violates a constraint is not retried', async () => {
    let attempts = 0;
    const refused = scratch.db.transaction(async (tx) => {
      attempts += 1;
      await writeNote(tx, 'same');
      await writeNote(tx, 'same');
    });
    await expect(refused).rejects.toMatchObject({ code: '23505' });
    expect(attempts).toBe(1);
  });
});

describe('new columns and prepared statements', () => {
  const all = sql`select * from notes`;
  const addColumn = (name: string) =>
    scratch.executor.executeSql(`alter table notes add column ${name} text`);
  const onAll = <T>(work: () => Promise<T>) => Promise.all(Array.from({ length: 8 }, () => work()));

  test('a prepared database query still works on every connection after its table got a new column', async () => {
    await scratch.db.transaction((tx) => writeNote(tx, 'kept'));
    await onAll(() => scratch.db.many(Note, all));
    await addColumn('read_later');
    expect(await onAll(() => scratch.db.many(Note, all))).toEqual(
      Array(8).fill([{ text: 'kept' }]),
    );
  });

  test('a database transaction with prepared statements still commits after its table got a new column', async () => {
    let count = 0;
    const write = () => {
      count += 1;
      const text = `note ${count}`;
      return scratch.db.transaction(async (tx) => {
        await writeNote(tx, text);
        return await tx.one(Note, sql`select * from notes where text = ${text}`);
      });
    };
    await onAll(write);
    await addColumn('written_later');
    await onAll(write);
    expect(await scratch.notes()).toHaveLength(16);
  });

  test('a prepared database query of the job engine still works after its table got a new column', async () => {
    const read = () =>
      scratch.executor.executeSql('select * from notes where text <> $1', ['none']);
    await onAll(read);
    await addColumn('asked_later');
    await onAll(read);
  });
});

describe('query results', () => {
  test('a bigint amount or count is read from the database with every digit', async () => {
    const amount = 9_007_199_254_740_993n;
    await scratch.db.transaction((tx) => writeNote(tx, 'large', amount));
    expect(await scratch.db.one(Amount, sql`select amount from notes`)).toEqual({ amount });
    expect(await scratch.db.one(Amount, sql`select count(*) as amount from notes`)).toEqual({
      amount: 1n,
    });
  });

  test('a database row that does not match the schema of its query is an error', async () => {
    await scratch.db.transaction((tx) => writeNote(tx, 'row'));
    await expect(scratch.db.many(Amount, sql`select text as amount from notes`)).rejects.toThrow();
  });

  test('a database query for exactly one row fails if it finds none or two', async () => {
    const all = sql`select text from notes`;
    await expect(scratch.db.one(Note, all)).rejects.toThrow('found none');
    expect(await scratch.db.maybeOne(Note, all)).toBeUndefined();
    await scratch.db.transaction(async (tx) => {
      await writeNote(tx, 'a');
      await writeNote(tx, 'b');
    });
    await expect(scratch.db.one(Note, all)).rejects.toThrow('found 2');
    await expect(scratch.db.maybeOne(Note, all)).rejects.toThrow('found 2');
  });
});

test.each([
  ['lock_timeout', '5s'],
  ['statement_timeout', '15s'],
  ['idle_in_transaction_session_timeout', '15s'],
])(
  'a database connection of the shop limits how long lock waits, statements and idle transactions last: %s is %s',
  async (setting, value) => {
    const found = await scratch.db.one(
      z.object({ value: z.string() }),
      sql`select current_setting(${setting}) as value`,
    );
    expect(found.value).toBe(value);
  },
);

test.each([
  [
    'a statement timeout counts as an overload',
    `set local statement_timeout = 10; select pg_sleep(60)`,
    true,
  ],
  ['an excess of connections counts as an overload', raising('too_many_connections'), true],
  ['a unique violation does not count as an overload', raising('unique_violation'), false],
  [
    'an internal error of PostgreSQL does not count as an overload',
    raising('internal_error'),
    false,
  ],
])(
  'the check whether a database error means that the database is overloaded decides: %s',
  async (_when, statements, isOne) => {
    const error: unknown = await scratch.executor.executeSql(statements).catch((reason) => reason);
    expect(error).toBeInstanceOf(Error);
    expect(isOverload(error)).toBe(isOne);
  },
);

function raising(condition: string): string {
  return `do $$ begin raise ${condition}; end $$`;
}

/** Blocks until all participants have arrived; later calls pass at once. */
function barrier(count: number): () => Promise<void> {
  let missing = count;
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return async () => {
    missing -= 1;
    if (missing <= 0) open();
    await opened;
  };
}

describe('leader election', () => {
  const want = (url: string, name: string, said: string[]) =>
    openLeadership({ url, applicationName: name }, 'sweeps', {
      onLead: () => said.push(`${name} leads`),
      onLost: async () => {
        said.push(`${name} leads no more`);
      },
    });

  test('two server processes that compete to be leader never lead at once, and the second leads when the first stops', async () => {
    const said: string[] = [];
    const first = want(scratch.url, 'first', said);
    await eventually(async () => said.length === 1);
    const second = want(scratch.url, 'second', said);
    await first.close();
    await eventually(async () => said.length === 3);
    expect(said).toEqual(['first leads', 'first leads no more', 'second leads']);
    await second.close();
  });

  test('a server process that leads stops leading when its database connection is lost, and leads again after reconnecting', async () => {
    const said: string[] = [];
    const only = want(scratch.url, 'only', said);
    await eventually(async () => said.length === 1);
    await scratch.executor.executeSql(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'only'`,
    );
    await eventually(async () => said.length === 3);
    expect(said).toEqual(['only leads', 'only leads no more', 'only leads']);
    await only.close();
    expect(said.at(-1)).toBe('only leads no more');
  });

  test('a server process that is closed before its election as leader never becomes leader', async () => {
    const said: string[] = [];
    await want(scratch.url, 'early', said).close();
    const next = want(scratch.url, 'next', said);
    await eventually(async () => said.length > 0);
    expect(said).toEqual(['next leads']);
    await next.close();
  });
});
