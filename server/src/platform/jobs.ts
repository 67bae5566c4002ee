import { type Db as BossDb, PgBoss } from 'pg-boss';
import type * as z from 'zod';
import type { Db, RawExecutor, Tx } from './db.ts';
import { isConnectionLoss, rawExecutorOf } from './db.ts';
import { newId } from './ids.ts';
import { log, withLogFields } from './log.ts';

/**
 * A kind of job that is enqueued by a transaction. The payload is validated when a worker fetches
 * it.
 */
export interface JobKind<Payload extends object> {
  readonly name: string;
  readonly payload: z.ZodType<Payload>;
  /** The maximum number of these that one worker runs at a time. */
  readonly concurrency: number;
  /** The maximum number of one group at a time, so that a slow group leaves places to others. */
  readonly perGroup?: number;
}

/**
 * Calls external services, then returns the write. The write and the completion of the job are one
 * transaction. A job may run twice, even concurrently on two workers, so it must be idempotent.
 */
export type JobHandler<Payload extends object> = (payload: Payload) => Promise<Settle>;
export type Settle = (tx: Tx) => Promise<void>;

/** A kind of job with its handler. `worker.ts` runs a list of these. */
export interface JobWork {
  readonly kind: JobKind<object>;
  readonly run: JobHandler<object>;
}

export function jobWork<Payload extends object>(
  kind: JobKind<Payload>,
  run: JobHandler<Payload>,
): JobWork {
  return { kind, run: async (payload) => await run(kind.payload.parse(payload)) };
}

export interface Jobs {
  /**
   * Enqueues a job in the given transaction: both are committed, or neither. Enqueueing the same id
   * twice creates one job.
   */
  enqueue<Payload extends object>(
    tx: Tx,
    kind: JobKind<Payload>,
    payload: Payload,
    when?: { id?: string; startAfter?: Date; group?: string },
  ): Promise<void>;
  /**
   * Hands over each job that failed in all its attempts once: the write and the removal of the job
   * are one transaction.
   */
  takeGivenUp(db: Db, write: (tx: Tx, job: GivenUpJob) => Promise<void>): Promise<void>;
  /** Fetches and runs jobs until stopped; the returned function waits for running jobs. */
  work(db: Db, works: readonly JobWork[]): () => Promise<void>;
  close(): Promise<void>;
}

interface GivenUpJob {
  kind: string;
  payload: object;
  /** The error message of the last attempt. */
  cause: string;
}

const deadLetterQueue = 'dead_letter';
const deadLetterOptions = {
  deleteAfterSeconds: 24 * 60 * 60,
  retentionSeconds: 31_536_000,
  retryLimit: 1_000_000,
};

// Jobs without a heartbeat for ten seconds, the engine's minimum, are taken from their worker.
const queueOptions = {
  partition: true,
  notify: false,
  heartbeatSeconds: 10,
  expireInSeconds: 120,
  retryLimit: 25,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 300,
  deadLetter: deadLetterQueue,
  deleteAfterSeconds: 24 * 60 * 60,
};
const touchEveryMs = 3_300;

/** Updates the tables of the engine and creates a queue for each kind. Run by migrate.ts. */
export async function installJobs(
  executor: RawExecutor,
  kinds: readonly JobKind<object>[],
): Promise<void> {
  const boss = new PgBoss({ db: bossDbOf(executor), supervise: false, schedule: false });
  boss.on('error', (error) => log.error({ err: error }, 'job engine'));
  await boss.start();
  await boss.createQueue(deadLetterQueue, deadLetterOptions);
  await boss.updateQueue(deadLetterQueue, deadLetterOptions);
  for (const { name } of kinds) await boss.createQueue(name, queueOptions);
  await boss.stop();
}

/** Only a process with supervision returns the jobs of dead workers to the queue. */
export async function openJobs(
  executor: RawExecutor,
  { supervise, pollMs }: { supervise: boolean; pollMs: number },
): Promise<Jobs> {
  const boss = new PgBoss({
    db: bossDbOf(executor),
    migrate: false,
    createSchema: false,
    schedule: false,
    supervise,
    superviseIntervalSeconds: 2,
    monitorIntervalSeconds: 2,
  });
  boss.on('error', (error) => log.warn({ err: error }, 'job engine'));
  await boss.start();
  return {
    enqueue: async (tx, kind, payload, when = {}) => {
      await boss.send(kind.name, payload, {
        id: when.id ?? newId(),
        db: bossDbOf(rawExecutorOf(tx)),
        ...(when.startAfter === undefined ? {} : { startAfter: when.startAfter }),
        ...(when.group === undefined ? {} : { group: { id: when.group } }),
      });
    },
    takeGivenUp: async (db, write) => {
      const jobs = await boss.fetch<object>(deadLetterQueue, {
        batchSize: 100,
        includeMetadata: true,
      });
      for (const { id, retryCount, data, sourceName, sourceOutput } of jobs) {
        const job = { kind: sourceName ?? 'unknown', payload: data, cause: causeIn(sourceOutput) };
        await db.transaction(async (tx) => {
          await write(tx, job);
          const attempt = { id, retryCount };
          await boss.complete(deadLetterQueue, attempt, null, { db: bossDbOf(rawExecutorOf(tx)) });
        });
      }
    },
    work: (db, works) => {
      const stops = works.map((work) => dispatch(boss, db, work, pollMs));
      return async () => {
        await Promise.all(stops.map((stop) => stop()));
      };
    },
    close: () => boss.stop({ graceful: false }),
  };
}

/** The error message as stored by `finish`. */
function causeIn(output: unknown): string {
  const isSaid = typeof output === 'object' && output !== null && 'message' in output;
  return isSaid ? String(output.message) : 'unknown';
}

/** The engine types its rows as `any`; here they are unknown until parsed. */
function bossDbOf(executor: Pick<RawExecutor, 'executeSql'>): BossDb {
  return executor;
}

interface HeldJob {
  id: string;
  retryCount: number;
}

/**
 * Fetches as many jobs as there are free places, so that a slow job does not block others, and
 * sends heartbeats for the running jobs so that they are not taken over.
 */
function dispatch(
  boss: PgBoss,
  db: Db,
  { kind, run }: JobWork,
  pollMs: number,
): () => Promise<void> {
  const held = new Map<string, Promise<void>>();
  const touchable = new Map<string, HeldJob>();
  let isStopping = false;
  let wake = () => {};

  const loop = async () => {
    while (!isStopping) {
      const places = kind.concurrency - held.size;
      const taken = places > 0 ? await takeJobs(places) : 0;
      if (taken < places || places === 0) await pause();
    }
  };

  /** The oldest jobs may all belong to a busy group, so a second fetch excludes that group. */
  const takeJobs = async (places: number): Promise<number> => {
    const groups = new Set<string>();
    let taken = 0;
    while (taken < places && !isStopping) {
      const jobs = await fetchJobs(places - taken, [...groups]);
      for (const job of jobs) {
        if (typeof job.groupId === 'string') groups.add(job.groupId);
        hold(job);
      }
      taken += jobs.length;
      if (kind.perGroup === undefined || jobs.length === 0) break;
    }
    return taken;
  };

  const fetchJobs = async (batchSize: number, ignoreGroups: string[]) => {
    try {
      const limit =
        kind.perGroup === undefined ? {} : { groupConcurrency: kind.perGroup, ignoreGroups };
      return await boss.fetch<object>(kind.name, { batchSize, ...limit });
    } catch (error) {
      log.warn({ err: error, job: kind.name }, 'could not fetch jobs');
      return [];
    }
  };

  const pause = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, pollMs);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  const hold = (job: HeldJob & { data: object }) => {
    const attempt = { id: job.id, retryCount: job.retryCount };
    touchable.set(job.id, attempt);
    const running = withLogFields({ job: kind.name, jobId: job.id }, () =>
      finish(boss, db, kind, run, attempt, job.data),
    ).finally(() => {
      held.delete(job.id);
      touchable.delete(job.id);
      wake();
    });
    held.set(job.id, running);
  };

  const touching = setInterval(() => {
    if (touchable.size === 0) return;
    boss
      .touch(kind.name, [...touchable.values()])
      .catch((error) => log.warn({ err: error, job: kind.name }, 'could not send job heartbeats'));
  }, touchEveryMs);

  const looping = loop();
  return async () => {
    isStopping = true;
    wake();
    await looping;
    await Promise.all(held.values());
    clearInterval(touching);
  };
}

async function finish(
  boss: PgBoss,
  db: Db,
  kind: JobKind<object>,
  run: JobHandler<object>,
  attempt: HeldJob,
  payload: object,
): Promise<void> {
  try {
    const settle = await run(payload);
    await untilWritten(() =>
      db.transaction(async (tx) => {
        await settle(tx);
        await boss.complete(kind.name, attempt, null, { db: bossDbOf(rawExecutorOf(tx)) });
      }),
    );
  } catch (error) {
    log.error({ err: error }, 'job failed');
    const message = error instanceof Error ? error.message : String(error);
    await boss
      .fail(kind.name, attempt, { message })
      .catch((reason) => log.warn({ err: reason }, 'could not report a failed job'));
  }
}

const writeTriesMax = 5;

/**
 * When a job writes its result, the external call has already happened, so a short outage of the
 * database is waited for: failing would repeat the external call. Errors reported by PostgreSQL are
 * not retried, because they would occur again.
 */
async function untilWritten(write: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await write();
    } catch (error) {
      if (!isConnectionLoss(error) || tries >= writeTriesMax) throw error;
      await new Promise((resolve) => setTimeout(resolve, 250 * 2 ** tries));
    }
  }
}
