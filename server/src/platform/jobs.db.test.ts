import { PgBoss } from 'pg-boss';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { gate, givenKind, jobRow, openWorker, type Worker } from '../../test/job-board.ts';
import { openScratch, type Scratch, writeNote } from '../../test/scratch.ts';
import { eventually } from '../../test/shop.ts';
import { sql } from './db.ts';
import { newId } from './ids.ts';
import type { Settle } from './jobs.ts';
import { log } from './log.ts';

let scratch: Scratch;
let workers: Worker[] = [];
beforeAll(async () => {
  log.level = 'silent';
  scratch = await openScratch();
});
afterAll(() => scratch.close());
beforeEach(() => scratch.executor.executeSql('truncate notes'));
afterEach(async () => {
  for (const { open } of gates.splice(0)) open(); // a failed test leaves jobs waiting
  await Promise.all(workers.map((worker) => worker.close()));
  workers = [];
});

const gates: ReturnType<typeof gate>[] = [];

function givenGate() {
  const made = gate();
  gates.push(made);
  return made;
}

async function givenWorker(options = {}): Promise<Worker> {
  const worker = await openWorker(scratch, options);
  workers.push(worker);
  return worker;
}

/** A queued job whose worker has not started yet. */
async function givenQueued(name: string) {
  const kind = await givenKind(scratch, name);
  const worker = await givenWorker();
  const id = newId();
  await scratch.db.transaction((tx) => worker.jobs.enqueue(tx, kind, { name: 'a' }, { id }));
  return { kind, worker, id };
}

const nothing: Settle = async () => {};
const isCompleted = async (id: string) => (await jobRow(scratch, id))?.state === 'completed';

describe('jobs enqueued in a transaction', () => {
  test('a background job and the rows of the transaction that enqueues it both exist after the commit', async () => {
    const kind = await givenKind(scratch, 'together');
    const { jobs } = await givenWorker();
    const id = newId();
    await scratch.db.transaction(async (tx) => {
      await writeNote(tx, 'paid');
      await jobs.enqueue(tx, kind, { name: 'deliver' }, { id });
    });
    expect(await scratch.notes()).toEqual(['paid']);
    expect(await jobRow(scratch, id)).toMatchObject({ state: 'created' });
  });

  test('a background job and the rows of the transaction that enqueues it both do not exist after a rollback', async () => {
    const kind = await givenKind(scratch, 'neither');
    const { jobs } = await givenWorker();
    const id = newId();
    const work = scratch.db.transaction(async (tx) => {
      await writeNote(tx, 'paid');
      await jobs.enqueue(tx, kind, { name: 'deliver' }, { id });
      throw new Error('refused');
    });
    await expect(work).rejects.toThrow('refused');
    expect(await scratch.notes()).toEqual([]);
    expect(await jobRow(scratch, id)).toBeUndefined();
  });
});

test('a background job enqueued twice with the same id, in one transaction or in two, runs once', async () => {
  const kind = await givenKind(scratch, 'once');
  const worker = await givenWorker();
  const ran: string[] = [];
  const [id, last] = [newId(), newId()];
  const enqueue = (name: string, jobId: string) =>
    scratch.db.transaction(async (tx) => {
      await worker.jobs.enqueue(tx, kind, { name }, { id: jobId });
      await worker.jobs.enqueue(tx, kind, { name }, { id: jobId });
    });
  await enqueue('first', id);
  await enqueue('again', id);
  worker.start(kind, async (name) => {
    ran.push(name);
    return nothing;
  });
  await eventually(() => isCompleted(id));
  await enqueue('after its end', id);
  await enqueue('last', last);
  await eventually(() => isCompleted(last));
  expect(ran).toEqual(['first', 'last']);
});

test('a background job with a later start time does not run before that time', async () => {
  const kind = await givenKind(scratch, 'later');
  const worker = await givenWorker();
  const [later, now] = [newId(), newId()];
  await scratch.db.transaction(async (tx) => {
    const startAfter = new Date(Date.now() + 3_600_000);
    await worker.jobs.enqueue(tx, kind, { name: 'later' }, { id: later, startAfter });
    await worker.jobs.enqueue(tx, kind, { name: 'now' }, { id: now });
  });
  worker.start(kind, async () => nothing);
  await eventually(() => isCompleted(now));
  expect(await jobRow(scratch, later)).toMatchObject({ state: 'created' });
});

test('a failed background job is retried, and one with a malformed payload never reaches its handler', async () => {
  const kind = await givenKind(scratch, 'fails_first');
  const worker = await givenWorker();
  const [id, broken] = [newId(), newId()];
  await scratch.db.transaction(async (tx) => {
    await worker.jobs.enqueue(tx, kind, { name: 'flaky' }, { id });
    await worker.jobs.enqueue(tx, kind, { nome: 'broken' } as never, { id: broken });
  });
  const tries: string[] = [];
  worker.start(kind, async (name) => {
    tries.push(name);
    if (tries.length === 1) throw new Error('the game is away');
    return (tx) => writeNote(tx, 'delivered');
  });
  await eventually(() => isCompleted(id));
  expect(tries).toEqual(['flaky', 'flaky']);
  expect(await scratch.notes()).toEqual(['delivered']);
  expect((await jobRow(scratch, broken))?.state).toMatch(/retry|active/);
});

describe('completion of jobs', () => {
  test('a background job whose final database write throws is rolled back and run again', async () => {
    const { kind, worker, id } = await givenQueued('settle_throws');
    let settles = 0;
    worker.start(kind, async () => async (tx) => {
      settles += 1;
      await writeNote(tx, `settled ${settles}`);
      if (settles === 1) throw new Error('killed in the middle');
    });
    await eventually(() => isCompleted(id));
    expect(await scratch.notes()).toEqual(['settled 2']);
  });

  // The commit fails after the engine has marked the job as completed: a completion in a
  // transaction of its own would remain, and the writes of the job would be lost.
  test('a background job whose final database commit fails is not completed and runs again', async () => {
    await scratch.executor.executeSql(
      'create table strict_notes (text text unique deferrable initially deferred)',
    );
    const { kind, worker, id } = await givenQueued('commit_fails');
    let settles = 0;
    worker.start(kind, async () => async (tx) => {
      settles += 1;
      await writeNote(tx, `settled ${settles}`);
      await tx.run(sql`insert into strict_notes values ('a')`);
      if (settles === 1) await tx.run(sql`insert into strict_notes values ('a')`);
    });
    await eventually(() => isCompleted(id));
    expect(await scratch.notes()).toEqual(['settled 2']);
  });

  test('a background job that loses its database connection in its final write repeats that write but not its outbound call', async () => {
    const { kind, worker, id } = await givenQueued('connection_lost');
    const asked: string[] = [];
    let settles = 0;
    worker.start(kind, async (name) => {
      asked.push(name);
      return async (tx) => {
        settles += 1;
        await writeNote(tx, `settled ${settles}`);
        if (settles === 1) await tx.run(sql`select pg_terminate_backend(pg_backend_pid())`);
      };
    });
    await eventually(() => isCompleted(id));
    expect(asked).toEqual(['a']);
    expect(await scratch.notes()).toEqual(['settled 2']);
  });
});

test('a background job whose final database write times out is run again, including its outbound call', async () => {
  const { kind, worker, id } = await givenQueued('too_slow');
  const asked: string[] = [];
  let settles = 0;
  worker.start(kind, async (name) => {
    asked.push(name);
    return async (tx) => {
      settles += 1;
      if (settles > 1) return;
      await tx.run(sql`set local statement_timeout = 10`);
      await tx.run(sql`select pg_sleep(60)`);
    };
  });
  await eventually(() => isCompleted(id));
  expect(asked).toEqual(['a', 'a']);
  expect(settles).toBe(2);
});

test('a background job without retries left is passed once to the handler of failed jobs, with kind, payload and error', async () => {
  const { kind, worker, id } = await givenQueued('hopeless');
  await scratch.executor.executeSql(`update pgboss.job set retry_limit = 0 where id = '${id}'`);
  worker.start(kind, async () => {
    throw new Error('nobody can read this');
  });
  await eventually(async () => (await jobRow(scratch, id))?.state === 'failed');

  const given: unknown[] = [];
  const take = () =>
    worker.jobs.takeGivenUp(scratch.db, async (tx, job) => {
      given.push(job);
      await writeNote(tx, job.cause);
      if (given.length === 1) throw new Error('killed before the commit');
    });
  await expect(take()).rejects.toThrow('killed');
  expect(await scratch.notes()).toEqual([]);
  // A job that was fetched and not completed is returned to the queue when it expires.
  await scratch.executor.executeSql(
    `update pgboss.job set state = 'retry' where name = 'dead_letter' and state = 'active'`,
  );
  await take();
  await take();
  const job = { kind: kind.name, payload: { name: 'a' }, cause: 'nobody can read this' };
  expect(given).toEqual([job, job]);
  expect(await scratch.notes()).toEqual(['nobody can read this']);
});

test('two workers share the queued background jobs and run each job once', async () => {
  const kind = await givenKind(scratch, 'shared');
  const both = [await givenWorker(), await givenWorker()];
  const names = Array.from({ length: 40 }, (_, index) => `job ${index}`);
  await scratch.db.transaction(async (tx) => {
    for (const name of names) await both[0]?.jobs.enqueue(tx, kind, { name });
  });
  const ran: string[] = [];
  for (const worker of both) {
    worker.start(kind, async (name) => {
      ran.push(name);
      return (tx) => writeNote(tx, name);
    });
  }
  await eventually(async () => (await scratch.notes()).length === names.length);
  expect(ran.toSorted()).toEqual(names.toSorted());
});

test('a worker runs as many background jobs at a time as their kind allows, and a slow job blocks no others', async () => {
  const kind = await givenKind(scratch, 'places', { concurrency: 2 });
  const worker = await givenWorker();
  const slow = givenGate();
  const names = ['slow', 'b', 'c', 'd', 'e'];
  await scratch.db.transaction(async (tx) => {
    for (const name of names) await worker.jobs.enqueue(tx, kind, { name });
  });
  let running = 0;
  let runningMax = 0;
  worker.start(kind, async (name) => {
    running += 1;
    runningMax = Math.max(runningMax, running);
    if (name === 'slow') await slow.opened;
    await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
    return (tx) => writeNote(tx, name);
  });
  await eventually(async () => (await scratch.notes()).length === 4);
  expect(await scratch.notes()).toEqual(['b', 'c', 'd', 'e']);
  slow.open();
  await eventually(async () => (await scratch.notes()).length === 5);
  expect(runningMax).toBe(2);
});

describe('job groups', () => {
  test('background jobs of a slow job group run only up to the limit per group and leave places to other groups', async () => {
    const kind = await givenKind(scratch, 'lanes', { concurrency: 5, perGroup: 2 });
    const worker = await givenWorker();
    const { opened, open } = givenGate();
    const running = new Set<string>();
    await scratch.db.transaction(async (tx) => {
      for (let count = 1; count <= 10; count += 1) {
        await worker.jobs.enqueue(tx, kind, { name: `slow ${count}` }, { group: 'slow' });
      }
      for (const name of ['other 1', 'other 2']) {
        await worker.jobs.enqueue(tx, kind, { name }, { group: 'other' });
      }
      await worker.jobs.enqueue(tx, kind, { name: 'of none' });
    });
    worker.start(kind, async (name) => {
      running.add(name);
      await opened;
      return nothing;
    });

    await eventually(async () => running.size === 5);
    expect([...running].filter((name) => name.startsWith('slow'))).toHaveLength(2);
    open();
    await eventually(async () => running.size === 13);
  });

  // Each completed job of a busy group frees one of its places. A fetch then finds the oldest jobs,
  // which all belong to the busy group.
  test('background jobs of a busy job group do not keep other groups waiting until all of them are done', async () => {
    const kind = await givenKind(scratch, 'rush', { concurrency: 5, perGroup: 2 });
    const worker = await givenWorker();
    const ran: string[] = [];
    await scratch.db.transaction(async (tx) => {
      for (let count = 1; count <= 100; count += 1) {
        await worker.jobs.enqueue(tx, kind, { name: 'busy' }, { group: 'busy' });
      }
      await worker.jobs.enqueue(tx, kind, { name: 'other' }, { group: 'other' });
    });
    worker.start(kind, async (name) => {
      ran.push(name);
      return nothing;
    });

    await eventually(async () => ran.includes('other'));
    expect(ran.length).toBeLessThan(50);
  });
});

test('a stopping worker finishes its running background jobs and takes no new ones', async () => {
  const kind = await givenKind(scratch, 'stopping');
  const worker = await givenWorker();
  const [started, finish] = [givenGate(), givenGate()];
  const [first, second] = [newId(), newId()];
  await scratch.db.transaction((tx) => worker.jobs.enqueue(tx, kind, { name: '1' }, { id: first }));
  const stop = worker.start(kind, async (name) => {
    started.open();
    await finish.opened;
    return (tx) => writeNote(tx, name);
  });
  await started.opened;
  let isStopped = false;
  const stopping = stop().then(() => {
    isStopped = true;
  });
  await scratch.db.transaction((tx) =>
    worker.jobs.enqueue(tx, kind, { name: '2' }, { id: second }),
  );
  expect(isStopped).toBe(false);
  finish.open();
  await stopping;
  expect(await scratch.notes()).toEqual(['1']);
  expect(await isCompleted(first)).toBe(true);
  expect(await jobRow(scratch, second)).toMatchObject({ state: 'created' });
});

test('the background jobs of a dead worker are taken over by another worker, but not those of a slow worker', async () => {
  const kind = await givenKind(scratch, 'takeover');
  const [slowWorker, other] = [await givenWorker(), await givenWorker({ supervise: true })];
  const [slow, abandoned] = [newId(), newId()];
  const [slowStarted, slowMayEnd] = [givenGate(), givenGate()];
  const ran: string[] = [];
  const enqueue = (name: string, id: string) =>
    scratch.db.transaction((tx) => slowWorker.jobs.enqueue(tx, kind, { name }, { id }));

  await enqueue('slow', slow);
  const stop = slowWorker.start(kind, async (name) => {
    ran.push(`slow worker: ${name}`);
    slowStarted.open();
    await slowMayEnd.opened;
    return (tx) => writeNote(tx, name);
  });
  await slowStarted.opened;
  const stopping = stop(); // takes no new jobs, but keeps its running job
  await enqueue('abandoned', abandoned);
  await abandonOne(kind.name);
  other.start(kind, async (name) => {
    ran.push(`other worker: ${name}`);
    return (tx) => writeNote(tx, name);
  });

  await eventually(() => isCompleted(abandoned));
  expect(await jobRow(scratch, slow)).toEqual({ state: 'active', retry_count: 0 });
  slowMayEnd.open();
  await stopping;
  expect(await isCompleted(slow)).toBe(true);
  expect(ran).toEqual(['slow worker: slow', 'other worker: abandoned']);
  expect(await scratch.notes()).toEqual(['abandoned', 'slow']);
});

/** Fetches a job like a worker that dies at once: its heartbeat is never sent. */
async function abandonOne(name: string): Promise<void> {
  const boss = new PgBoss({
    db: scratch.executor,
    migrate: false,
    createSchema: false,
    schedule: false,
    supervise: false,
  });
  await boss.start();
  const jobs = await boss.fetch(name, { batchSize: 1 });
  await boss.stop({ graceful: false });
  if (jobs.length !== 1) throw new Error('there was no job to abandon');
}
