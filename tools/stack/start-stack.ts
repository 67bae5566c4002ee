import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { waitUntil } from '../process/wait-until.ts';
import { startServices } from '../services/start-services.ts';
import { chooseAddresses } from './addresses.ts';
import { isBuildStale } from './build.ts';
import { type Crew, gatherCrew, type Task } from './crew.ts';
import { environmentsOf } from './environments.ts';
import { requireEmptyDatabase } from './given-database.ts';
import type { Program } from './program.ts';
import { keepSecrets } from './secrets.ts';
import { assertNotRunning, removeStackFile, writeStackFile } from './stack-file.ts';
import { buildTask, tasksOf, viteTask } from './tasks.ts';

export type StackOptions = {
  /** demo serves the built portal; dev serves its sources and restarts what has changed. */
  mode: 'demo' | 'dev';
  /** The folder below .pointgate/ for data, logs and secrets. One running stack for each name. */
  name: string;
  /** Begin with an empty database. */
  fresh: boolean;
  /** Ports for the portal: the first free one, or else any. */
  preferredPorts?: readonly number[];
  /** More environment for the server's programs; wins over ours. */
  serverEnv?: Record<string, string>;
  workers?: number;
  say?: (progress: string) => void;
  /** Ends the start half-way; what was started is stopped. */
  signal?: AbortSignal;
  /** The repository; another one in tests of this orchestrator. */
  root?: string;
};

export type Stack = {
  portal: string;
  api: string;
  sandbox: { stripe: string; game: string };
  /** As the seed names them: loginName, password and more. */
  players: unknown;
  databaseUrl: string;
  redisUrl: string | null;
  /** Starts one more worker and waits until it is ready. */
  startWorker: () => Promise<void>;
  /** Kills the oldest worker with SIGKILL: it gets no chance to hand anything over. */
  killWorker: () => Promise<void>;
  /** Settles with a description when a part ends that should not have. */
  failed: Promise<string>;
  stop: () => Promise<void>;
};

/** Brings up the whole shop and the world around it. All of it ends when this process ends. */
export async function startStack(options: StackOptions): Promise<Stack> {
  const root = options.root ?? fileURLToPath(new URL('../..', import.meta.url));
  const home = join(root, '.pointgate', options.name);
  assertNotRunning(join(home, 'stack.json'));
  const crew = gatherCrew({
    root,
    logs: join(home, 'logs'),
    say: options.say ?? (() => {}),
    signal: options.signal,
  });
  try {
    return await bringUp(crew, { ...options, root, home });
  } catch (error) {
    await crew.stop();
    throw error;
  }
}

async function bringUp(
  crew: Crew,
  options: StackOptions & { root: string; home: string },
): Promise<Stack> {
  const { mode, root, home } = options;
  const isDev = mode === 'dev';
  if (!isDev && isBuildStale(root)) await crew.run(buildTask());

  options.say?.('services');
  const starting = startServices({ dataDir: home, durable: true, fresh: options.fresh });
  crew.onStop(async () => (await starting.catch(() => undefined))?.stop());
  const { databaseUrl, redisUrl, failed } = await crew.waitFor(starting);
  void failed.then(crew.fail);
  if (options.fresh && process.env.DATABASE_URL) await requireEmptyDatabase(databaseUrl);

  const preferredPorts = options.preferredPorts ?? [];
  const addresses = await chooseAddresses({ mode, preferredPorts });
  const environments = environmentsOf({
    services: { databaseUrl, redisUrl },
    addresses,
    secrets: keepSecrets(join(home, 'secrets.json')),
    portalDir: isDev ? undefined : join(root, 'portal/dist'),
    // The world remembers as long as the shop does, or paid orders would be unknown to it.
    sandboxDir: options.fresh ? undefined : home,
    extra: options.serverEnv ?? {},
  });

  const tasks = tasksOf({ root, isDev, environments });
  await crew.run(tasks.migrate);
  await Promise.all([crew.start(tasks.stripe), crew.start(tasks.game)]);
  const seeded = await crew.run(tasks.seed);
  await crew.start(tasks.api);
  const workers = crewOfWorkers(crew, tasks.worker);
  for (let count = options.workers ?? 1; count > 0; count -= 1) await workers.startWorker();
  if (isDev) await crew.start(viteTask(root, addresses), () => portalAnswers(addresses.portal));

  const { portal, api, stripe, game } = addresses;
  const reachable = { portal, api, sandbox: { stripe, game }, databaseUrl, redisUrl };
  const stackFile = join(home, 'stack.json');
  writeStackFile(stackFile, { ...reachable, pid: process.pid });
  crew.onStop(async () => removeStackFile(stackFile));
  const { stop } = crew;
  return { ...reachable, players: seeded?.players ?? [], ...workers, failed: crew.failed, stop };
}

function crewOfWorkers(
  crew: Crew,
  taskOf: (name: string) => Task,
): Pick<Stack, 'startWorker' | 'killWorker'> {
  const running: Program[] = [];
  let started = 0;
  return {
    startWorker: async () => {
      started += 1;
      running.push(await crew.start(taskOf(started === 1 ? 'worker' : `worker-${started}`)));
    },
    killWorker: async () => {
      const oldest = running.shift();
      if (oldest === undefined) throw new Error('There is no worker left to kill.');
      await oldest.kill();
    },
  };
}

function portalAnswers(url: string): Promise<void> {
  return waitUntil(() => answers(url), { timeoutMs: 60_000, what: `${url} does not answer` });
}

async function answers(url: string): Promise<boolean> {
  const response = await fetch(url).catch(() => undefined);
  await response?.body?.cancel();
  return response?.ok ?? false;
}
