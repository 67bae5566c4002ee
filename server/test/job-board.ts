import { z } from 'zod';
import { openDb, openRawExecutor, sql } from '../src/platform/db.ts';
import {
  installJobs,
  type JobKind,
  type Jobs,
  jobWork,
  openJobs,
  type Settle,
} from '../src/platform/jobs.ts';
import { patientSeconds } from './database.ts';
import type { Scratch } from './scratch.ts';

const Payload = z.object({ name: z.string() });
type Payload = z.output<typeof Payload>;

/** A kind of job for tests, with a queue of its own. */
export async function givenKind(
  { executor }: Scratch,
  name: string,
  { concurrency = 5, perGroup }: { concurrency?: number; perGroup?: number } = {},
): Promise<JobKind<Payload>> {
  const limit = perGroup === undefined ? {} : { perGroup };
  const kind = { name, payload: Payload, concurrency, ...limit };
  await installJobs(executor, [kind]);
  return kind;
}

/** A worker with connections of its own, like a separate process. */
export interface Worker {
  jobs: Jobs;
  /** Runs jobs until stopped. */
  start(kind: JobKind<Payload>, run: (name: string) => Promise<Settle>): () => Promise<void>;
  close(): Promise<void>;
}

export async function openWorker({ url }: Scratch, { supervise = false } = {}): Promise<Worker> {
  const options = {
    url,
    connectionsMax: 5,
    applicationName: 'worker',
    waitSeconds: patientSeconds,
  };
  const db = openDb(options);
  const executor = openRawExecutor(options);
  const jobs = await openJobs(executor, { supervise, pollMs: 50 });
  const stops: (() => Promise<void>)[] = [];
  return {
    jobs,
    start: (kind, run) => {
      const stop = jobs.work(db, [jobWork(kind, ({ name }) => run(name))]);
      stops.push(stop);
      return stop;
    },
    close: async () => {
      await Promise.all(stops.map((stop) => stop()));
      await jobs.close();
      await executor.close();
      await db.close();
    },
  };
}

const JobRow = z.object({ state: z.string(), retry_count: z.int() });

/** The engine's row of the job with this id. */
export async function jobRow({ db }: Scratch, id: string) {
  return await db.maybeOne(JobRow, sql`select state, retry_count from pgboss.job where id = ${id}`);
}

/** A promise that all waiters share, resolved by `open`. */
export function gate(): { open: () => void; opened: Promise<void> } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}
