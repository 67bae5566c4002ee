import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chownSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from '../process/free-port.ts';
import { closeInput, spawnGuarded } from '../process/guarded.ts';
import { isAlive } from '../process/is-alive.ts';
import { killWithChildren } from '../process/kill-with-children.ts';
import { lastLines, lastLinesOf } from '../process/last-lines.ts';
import { waitUntil } from '../process/wait-until.ts';
import { type Account, serviceAccount } from './account.ts';
import { memoryFolder } from './memory-folder.ts';
import { postgresBinaries, reachableFolder } from './postgres-binaries.ts';
import { type RunningService, watchService } from './running-service.ts';

type Cluster = {
  binaries: string;
  account: Account | null;
  home: string;
  data: string;
  log: string;
};

type Server = ReturnType<typeof watchService> & { url: string; port: number };

export type Postgres = RunningService & {
  /** Sends SIGKILL to all its processes at once, like a power failure. */
  kill: () => Promise<void>;
  /** Restarts it after a kill with the same data and port; settles when it accepts connections. */
  start: () => Promise<void>;
};

/** Starts PostgreSQL with a data folder, which is created on the first start, and one database. */
export async function startPostgres(options: {
  dataDir: string;
  durable: boolean;
  fresh: boolean;
}): Promise<Postgres> {
  const account = serviceAccount();
  mkdirSync(options.dataDir, { recursive: true });
  const home =
    (options.durable ? undefined : memoryFolder()) ??
    reachableFolder(account, join(options.dataDir, 'postgres'));
  const log = join(options.dataDir, 'postgres.log');
  const cluster: Cluster = {
    binaries: postgresBinaries(account),
    account,
    home,
    data: join(home, 'data'),
    log,
  };

  await waitForPredecessor(cluster);
  if (options.fresh) rmSync(home, { recursive: true, force: true });
  let server = await startServer(cluster, options);
  try {
    await createDatabase(server.url);
  } catch (error) {
    await server.stop();
    throw error;
  }
  const { promise: failed, resolve: fail } = Promise.withResolvers<string>();
  void server.failed.then(fail);
  return {
    url: `${server.url}/pointgate`,
    failed,
    stop: () => server.stop(),
    kill: async () => {
      if (!options.durable)
        throw new Error('A database without durable data cannot be started again.');
      await server.endBy(() => killWithChildren(postmasterOf(cluster)));
    },
    start: async () => {
      server = await startServer(cluster, { durable: options.durable, port: server.port });
      void server.failed.then(fail);
    },
  };
}

/** A server that was killed a moment ago may still be writing its last checkpoint. */
async function waitForPredecessor(cluster: Cluster): Promise<void> {
  await waitUntil(() => !isAlive(postmasterOf(cluster)), {
    timeoutMs: 60_000,
    what: `${cluster.data} is in use by process ${postmasterOf(cluster)}; stop that first`,
  });
}

/** The process id of the postmaster; 0 if there is none. */
function postmasterOf(cluster: Cluster): number {
  try {
    return Number(readFileSync(join(cluster.data, 'postmaster.pid'), 'utf8').split('\n')[0]);
  } catch (error) {
    // as: Node's errors of files carry a code. It removes the file when it ends, at any moment.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    throw error;
  }
}

async function createCluster(cluster: Cluster): Promise<void> {
  rmSync(cluster.home, { recursive: true, force: true });
  mkdirSync(cluster.home, { mode: 0o700 });
  const passwordFile = join(cluster.home, 'password');
  writeFileSync(passwordFile, randomBytes(16).toString('hex'), { mode: 0o600 });
  if (cluster.account !== null) {
    for (const path of [cluster.home, passwordFile]) {
      chownSync(path, cluster.account.uid, cluster.account.gid);
    }
  }
  await runInitdb(cluster, [
    `--pgdata=${cluster.data}`,
    '--username=postgres',
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    // The password is long and random; more iterations would only slow down connections.
    '--set=scram_iterations=1',
    // The built-in C.UTF-8, so that text sorts identically on every system.
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-sync',
    '--no-instructions',
  ]);
}

async function runInitdb(cluster: Cluster, args: string[]): Promise<void> {
  const child = spawn(join(cluster.binaries, 'bin', 'initdb'), args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd: '/',
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' },
    ...cluster.account,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  if (code === 0) return;
  // A partially initialised cluster would be used at the next start.
  rmSync(cluster.home, { recursive: true, force: true });
  throw new Error(`PostgreSQL could not set up ${cluster.data}:\n${lastLines(output, 20)}`);
}

/** Starts the server on the given port, or on any free one. */
async function startServer(
  cluster: Cluster,
  options: { durable: boolean; port?: number },
  attempt = 1,
): Promise<Server> {
  const { durable } = options;
  if (!existsSync(join(cluster.data, 'postgresql.conf'))) await createCluster(cluster);
  const port = options.port ?? (await freePort());
  // Appends after a kill, because the earlier log may be needed.
  const log = openSync(cluster.log, options.port === undefined ? 'w' : 'a');
  const child = spawnGuarded(
    {
      command: join(cluster.binaries, 'bin', 'postgres'),
      args: ['-D', cluster.data, ...settings(port, durable)],
      cwd: '/',
      account: cluster.account,
      stopSignal: 'SIGINT', // PostgreSQL's fast shutdown: ends sessions, writes a checkpoint.
      patienceMs: 20_000,
      removeAfter: durable ? [] : [cluster.home],
    },
    { env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' }, output: log },
  );
  const password = readFileSync(join(cluster.home, 'password'), 'utf8');
  const url = `postgres://postgres:${password}@127.0.0.1:${port}`;
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  try {
    await waitUntil(async () => hasEnded() || (await answers(`${url}/postgres`)), {
      timeoutMs: 60_000,
      what: 'PostgreSQL does not answer',
    });
    if (hasEnded()) throw new Error('PostgreSQL did not start.');
  } catch (error) {
    await closeInput(child);
    // Another process may have taken the port since it was found free.
    const words = await lastLinesOf(cluster.log);
    const isPortTaken = words.includes('Address already in use');
    if (isPortTaken && attempt < 3) return startServer(cluster, options, attempt + 1);
    throw new Error(`${(error as Error).message}\n${words}`);
  }
  return { url, port, ...watchService(child, cluster.log) };
}

function settings(port: number, durable: boolean): string[] {
  const values: Record<string, string | number> = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    shared_buffers: process.env.POSTGRES_SHARED_BUFFERS || '256MB',
    max_connections: 200,
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_checkpoints: 'off',
  };
  // Tests discard their data, so it need not survive a power failure. Autovacuum is off, because a
  // vacuum in the template would delay copies.
  const careless = {
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    autovacuum: 'off',
    max_wal_size: '256MB',
  };
  const chosen = durable ? values : { ...values, ...careless };
  return Object.entries(chosen).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  // Without a listener, a connection lost later would be an uncaught error.
  client.on('error', () => {});
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

async function createDatabase(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url.replace(/\/pointgate$/, '/postgres') });
  await client.connect();
  try {
    const found = await client.query("select 1 from pg_database where datname = 'pointgate'");
    if (found.rowCount === 0) await client.query('create database pointgate');
  } finally {
    await client.end();
  }
}
