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
import { contractsOf, webhooksOf } from './contracts.ts';
import { type Crew, gatherCrew } from './crew.ts';
import { environmentsOf, worldOf } from './environments.ts';
import { requireEmptyDatabase } from './given-database.ts';
import type { PaymentProviderName } from './payment-providers.ts';
import type { Program } from './program.ts';
import { keepSecrets } from './secrets.ts';
import { assertNotRunning, removeStackFile, writeStackFile } from './stack-file.ts';
import { buildTask, migrateTask, type TaskIn, tasksOf, viteTask, worldTasksOf } from './tasks.ts';
import { startVictim, type Victim } from './victim.ts';

export type StackOptions = {
  mode: StackMode;
  /** The folder below .pointgate/ for data, logs and secrets. One running stack for each name. */
  name: string;
  /** Begin with an empty database. */
  fresh: boolean;
  /** Whether the database survives a kill, as it does where nothing is said. Without that it is quicker. */
  durable?: boolean;
  /** Ports for the portal: the first free one, or else any. */
  preferredPorts?: readonly number[];
  /** More environment for the server's programs; wins over ours. */
  serverEnv?: Record<string, string>;
  apis?: number;
  workers?: number;
  say?: (progress: string) => void;
  /** Ends the start half-way; what was started is stopped. */
  signal?: AbortSignal;
  /** The repository; another one in tests of this orchestrator. */
  root?: string;
  /** Where the server's programs are started from at first, if that is not the repository. */
  serverRoot?: string;
};

export type Stack = {
  /** Its folder, for data and logs. */
  home: string;
  portal: string;
  /** The first of the apis. */
  api: string;
  apis: string[];
  sandbox: Addresses['sandbox'];
  /** What Stripe signs its webhooks with, for whoever plays Stripe. */
  webhookSecret: string;
  /** As the seed names them: loginName, password and more. */
  players: unknown;
  /** As the seed names them: siteId, title and url. */
  sites: unknown;
  databaseUrl: string;
  redisUrl: string | null;
  /** What the server's programs are told, for whoever runs another one. */
  serverEnv: NodeJS.ProcessEnv;
  /** What can be hurt; the apis are in the order of their addresses. */
  programs: { api: Victim[]; worker: Victim[] };
  /** SIGKILL to PostgreSQL, all its processes at once. */
  killDatabase: () => Promise<void>;
  /** Starts it again on the same data and port, and waits until it takes connections. */
  startDatabase: () => Promise<void>;
  /** A program of the world outside, which may hang and go on. */
  outsider: (service: SandboxService) => Pick<Program, 'hang' | 'goOn'>;
  /** Runs this repository's migrations, beside whatever runs. */
  migrate: () => Promise<void>;
  /** Makes providers send their webhooks to this api from now on, the waiting ones too. */
  sendWebhooksTo: (api: string, providers: readonly PaymentProviderName[]) => Promise<void>;
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
  const serverRoot = options.serverRoot ?? root;
  const isDev = mode === 'dev';
  if (mode === 'demo' && isBuildStale(root)) await crew.run(buildTask());

  options.say?.('services');
  const starting = startServices({
    dataDir: home,
    durable: options.durable ?? true,
    fresh: options.fresh,
  });
  crew.onStop(async () => (await starting.catch(() => undefined))?.stop());
  const services = await crew.waitFor(starting);
  const { databaseUrl, redisUrl, killDatabase, startDatabase } = services;
  void services.failed.then(crew.fail);
  if (options.fresh && process.env.DATABASE_URL) await requireEmptyDatabase(databaseUrl);

  const preferredPorts = options.preferredPorts ?? [];
  const addresses = await chooseAddresses({ mode, preferredPorts, apis: options.apis ?? 1 });
  const secrets = keepSecrets(join(home, 'secrets.json'));
  const contracts = contractsOf(addresses, secrets, home);
  // The world remembers as long as the shop does, or paid orders would be unknown to it.
  const sandboxDir = options.fresh ? undefined : home;
  const world = worldOf({ addresses, secrets, contracts, sandboxDir });
  const [, ...outsiders] = await Promise.all([
    crew.run(migrateTask(serverRoot, databaseUrl)),
    ...worldTasksOf({ root, isDev, world }).map((task) => crew.start(task)),
  ]);
  const environments = environmentsOf({
    ...{ services, addresses, secrets, contracts },
    portalDir: mode === 'demo' ? join(root, 'portal/dist') : undefined,
    extra: options.serverEnv ?? {},
  });

  const tasks = tasksOf({ isDev, environments });
  const seeded = await crew.run(tasks.seed(serverRoot));
  const workerTasks = Array.from({ length: options.workers ?? 1 }, (_, index) =>
    tasks.worker(index),
  );
  const startAll = (some: readonly TaskIn[]) =>
    Promise.all(some.map((task) => startVictim(crew, task, serverRoot)));
  const [api, worker] = await Promise.all([startAll(tasks.apis), startAll(workerTasks)]);
  if (isDev) await crew.start(viteTask(root, addresses), () => portalAnswers(addresses.portal));

  const { portal, sandbox } = addresses;
  const reachable = { portal, api: addresses.api, sandbox, databaseUrl, redisUrl };
  const stackFile = join(home, 'stack.json');
  const { smtp, paypalApi } = addresses;
  writeStackFile(stackFile, { ...reachable, smtp, paypalApi, pid: process.pid });
  crew.onStop(async () => removeStackFile(stackFile));
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
      await crew.run(migrateTask(root, databaseUrl));
    },
    outsider: (service) => {
      const program = outsiders.find(({ name }) => name === service);
      if (program === undefined) throw new Error(`No ${service} was started.`);
      return program;
    },
    sendWebhooksTo: async (to, providers) => {
      for (const name of providers) {
        await tellWhereToSend(sandbox[name], webhooksOf(to, name));
      }
    },
    failed: crew.failed,
    stop: crew.stop,
  };
}

async function tellWhereToSend(provider: string, url: string): Promise<void> {
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
