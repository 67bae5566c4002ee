import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { waitUntil } from '../process/wait-until.ts';
import { startServices } from '../services/start-services.ts';
import {
  type Addresses,
  chooseAddresses,
  type SandboxService,
  type StackMode,
} from './addresses.ts';
import { isBuildStale } from './build.ts';
import { environmentsOf, sandboxEnvironments } from './environments.ts';
import { requireEmptyDatabase } from './given-database.ts';
import { merchantAccountsOf, webhooksOf } from './merchant-accounts.ts';
import type { PaymentProviderName } from './payment-providers.ts';
import { createProcessGroup, type ProcessGroup } from './process-group.ts';
import type { Program } from './program.ts';
import { type Restartable, startRestartable } from './restartable.ts';
import { loadOrCreateSecrets } from './secrets.ts';
import { assertNotRunning, removeStackFile, writeStackFile } from './stack-file.ts';
import { buildTask, migrateTask, sandboxTasks, type TaskIn, tasksOf, viteTask } from './tasks.ts';

export type StackOptions = {
  mode: StackMode;
  /** The folder below .pointgate/ for data, logs and secrets. Only one stack per name can run. */
  name: string;
  /** Start with an empty database. */
  fresh: boolean;
  /** Whether the database survives a kill; true by default. Faster without it. */
  durable?: boolean;
  /** Preferred ports of the portal: the first free one is used, or else any. */
  preferredPorts?: readonly number[];
  /** Additional environment of the server's programs, with precedence over ours. */
  serverEnv?: Record<string, string>;
  apis?: number;
  workers?: number;
  say?: (progress: string) => void;
  /** Aborts the start and stops everything that was started. */
  signal?: AbortSignal;
  /** The repository; tests of this orchestrator use another one. */
  root?: string;
  /**
   * The checkout from which the server's programs are started first; the repository by default.
   */
  serverRoot?: string;
};

export type Stack = {
  /** The folder with data and logs. */
  home: string;
  portal: string;
  /** The address of the first api. */
  api: string;
  apis: string[];
  sandbox: Addresses['sandbox'];
  /** Stripe's webhook secret, for tests that send webhooks themselves. */
  webhookSecret: string;
  /** The players printed by the seed, with loginName, password and more. */
  players: unknown;
  /** The sites printed by the seed, with siteId, title and url. */
  sites: unknown;
  databaseUrl: string;
  redisUrl: string | null;
  /** The environment of the server's programs, for running another one. */
  serverEnv: NodeJS.ProcessEnv;
  /**
   * The programs that can be killed and restarted; the apis are in the order of their addresses.
   */
  programs: { api: Restartable[]; worker: Restartable[] };
  /** Sends SIGKILL to all processes of PostgreSQL. */
  killDatabase: () => Promise<void>;
  /** Restarts PostgreSQL with the same data and port, and waits until it accepts connections. */
  startDatabase: () => Promise<void>;
  /** A sandbox program, which can be suspended and resumed. */
  sandboxProgram: (service: SandboxService) => Pick<Program, 'hang' | 'resume'>;
  /** Runs the migrations of this repository while the other programs run. */
  migrate: () => Promise<void>;
  /** Directs the providers' webhooks to this api, including pending retries. */
  sendWebhooksTo: (api: string, providers: readonly PaymentProviderName[]) => Promise<void>;
  /** Settles with a description if a program exits unexpectedly. */
  failed: Promise<string>;
  stop: () => Promise<void>;
};

/** Starts the whole shop with its sandbox. Everything stops when this process ends. */
export async function startStack(options: StackOptions): Promise<Stack> {
  const root = options.root ?? fileURLToPath(new URL('../..', import.meta.url));
  const home = join(root, '.pointgate', options.name);
  assertNotRunning(join(home, 'stack.json'));
  const group = createProcessGroup({
    root,
    logs: join(home, 'logs'),
    say: options.say ?? (() => {}),
    signal: options.signal,
  });
  try {
    return await bringUp(group, { ...options, root, home });
  } catch (error) {
    await group.stop();
    throw error;
  }
}

async function bringUp(
  group: ProcessGroup,
  options: StackOptions & { root: string; home: string },
): Promise<Stack> {
  const { mode, root, home } = options;
  const serverRoot = options.serverRoot ?? root;
  const isDev = mode === 'dev';
  if (mode === 'demo' && isBuildStale(root)) await group.run(buildTask());

  options.say?.('services');
  const starting = startServices({
    dataDir: home,
    durable: options.durable ?? true,
    fresh: options.fresh,
  });
  group.onStop(async () => (await starting.catch(() => undefined))?.stop());
  const services = await group.waitFor(starting);
  const { databaseUrl, redisUrl, killDatabase, startDatabase } = services;
  void services.failed.then(group.fail);
  if (options.fresh && process.env.DATABASE_URL) await requireEmptyDatabase(databaseUrl);

  const preferredPorts = options.preferredPorts ?? [];
  const addresses = await chooseAddresses({ mode, preferredPorts, apis: options.apis ?? 1 });
  const secrets = loadOrCreateSecrets(join(home, 'secrets.json'));
  const merchantAccounts = merchantAccountsOf(addresses, secrets, home);
  // The sandbox keeps its data as long as the shop does, because paid orders would otherwise be
  // unknown to it.
  const sandboxDir = options.fresh ? undefined : home;
  const sandboxEnvs = sandboxEnvironments({ addresses, secrets, merchantAccounts, sandboxDir });
  const [, ...sandboxPrograms] = await Promise.all([
    group.run(migrateTask(serverRoot, databaseUrl)),
    ...sandboxTasks({ root, isDev, environments: sandboxEnvs }).map((task) => group.start(task)),
  ]);
  const environments = environmentsOf({
    services,
    addresses,
    secrets,
    merchantAccounts,
    portalDir: mode === 'demo' ? join(root, 'portal/dist') : undefined,
    extra: options.serverEnv ?? {},
  });

  const tasks = tasksOf({ isDev, environments });
  const seeded = await group.run(tasks.seed(serverRoot));
  const workerTasks = Array.from({ length: options.workers ?? 1 }, (_, index) =>
    tasks.worker(index),
  );
  const startAll = (some: readonly TaskIn[]) =>
    Promise.all(some.map((task) => startRestartable(group, task, serverRoot)));
  const [api, worker] = await Promise.all([startAll(tasks.apis), startAll(workerTasks)]);
  if (isDev) await group.start(viteTask(root, addresses), () => portalAnswers(addresses.portal));

  const { portal, sandbox } = addresses;
  const reachable = { portal, api: addresses.api, sandbox, databaseUrl, redisUrl };
  const stackFile = join(home, 'stack.json');
  const { smtp, paypalApi } = addresses;
  writeStackFile(stackFile, { ...reachable, smtp, paypalApi, pid: process.pid });
  group.onStop(async () => removeStackFile(stackFile));
  return {
    ...reachable,
    home,
    apis: addresses.apis,
    players: seeded?.players ?? [],
    sites: seeded?.sites ?? [],
    webhookSecret: secrets.stripeWebhookSecret,
    serverEnv: environments.server,
    programs: { api, worker },
    killDatabase,
    startDatabase,
    migrate: async () => {
      await group.run(migrateTask(root, databaseUrl));
    },
    sandboxProgram: (service) => {
      const program = sandboxPrograms.find(({ name }) => name === service);
      if (program === undefined) throw new Error(`No ${service} was started.`);
      return program;
    },
    sendWebhooksTo: async (to, providers) => {
      for (const name of providers) {
        await setWebhookUrl(sandbox[name], webhooksOf(to, name));
      }
    },
    failed: group.failed,
    stop: group.stop,
  };
}

async function setWebhookUrl(provider: string, url: string): Promise<void> {
  const response = await fetch(`${provider}/__sandbox/webhooks`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ url }),
  });
  if (!response.ok) throw new Error(`The sandbox answered ${response.status}.`);
  await response.body?.cancel();
}

function portalAnswers(url: string): Promise<void> {
  return waitUntil(() => answers(url), { timeoutMs: 60_000, what: `${url} does not answer` });
}

async function answers(url: string): Promise<boolean> {
  const response = await fetch(url).catch(() => undefined);
  await response?.body?.cancel();
  return response?.ok ?? false;
}
