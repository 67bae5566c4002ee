import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { afterEach, expect, test } from 'vitest';
import { waitUntil } from '../process/wait-until.ts';

// Each test starts a real PostgreSQL, which takes seconds on a busy machine.
const patience = { timeout: 240_000 };

const started: { child: ChildProcess; dataDir: string }[] = [];
afterEach(() => {
  for (const { child, dataDir } of started.splice(0)) {
    child.kill('SIGKILL');
    rmSync(dataDir, { recursive: true, force: true });
  }
});

test.each(['SIGTERM', 'SIGINT'] as const)(
  'all PostgreSQL and Redis processes that a stack started are stopped after %s',
  patience,
  async (signal) => {
    const run = await givenServices({ durable: true });
    const setting =
      'select datlocale, encoding = 6 as utf8 from pg_database where datname = current_database()';
    expect(await query(run.databaseUrl, setting)).toEqual([{ datlocale: 'C.UTF-8', utf8: true }]);
    expect(serversOf(run).length).toBeGreaterThanOrEqual(2);

    run.child.kill(signal);
    const [code] = await once(run.child, 'exit');

    expect(code).toBe(0);
    expect(serversOf(run)).toEqual([]);
    const log = readFileSync(join(run.dataDir, 'postgres.log'), 'utf8');
    expect(log).toContain('database system is shut down');
  },
);

test(
  'all PostgreSQL and Redis processes of a killed stack are stopped and its temporary data is deleted',
  patience,
  async () => {
    const run = await givenServices({ durable: false });
    expect(serversOf(run).length).toBeGreaterThanOrEqual(2);
    const [place] = await query(run.databaseUrl, 'show data_directory');
    const { data_directory } = place as { data_directory: string };
    expect(existsSync(data_directory)).toBe(true);

    run.child.kill('SIGKILL');

    await waitUntil(() => serversOf(run).length === 0, {
      timeoutMs: 60_000,
      what: 'the servers go on running',
    });
    const log = readFileSync(join(run.dataDir, 'postgres.log'), 'utf8');
    expect(log).toContain('database system is shut down');
    await waitUntil(() => !existsSync(data_directory), {
      timeoutMs: 60_000,
      what: 'the data is still there',
    });
  },
);

test('durable data of a killed stack is there again after another start', patience, async () => {
  const first = await givenServices({ durable: true });
  await query(first.databaseUrl, 'create table kept as select 7 as seven');
  first.child.kill('SIGKILL');

  const second = await givenServices({ durable: true, dataDir: first.dataDir });

  expect(await query(second.databaseUrl, 'select seven from kept')).toEqual([{ seven: 7 }]);
});

test(
  'a development stack uses the database given by DATABASE_URL and starts none of its own',
  patience,
  async () => {
    const run = await givenServices({
      durable: true,
      env: { DATABASE_URL: 'postgres://elsewhere/shop' },
    });

    expect(run.databaseUrl).toBe('postgres://elsewhere/shop');
    expect(existsSync(join(run.dataDir, 'postgres'))).toBe(false);
  },
);

async function givenServices(options: {
  durable: boolean;
  dataDir?: string;
  env?: Record<string, string>;
}): Promise<{
  child: ChildProcess;
  dataDir: string;
  databaseUrl: string;
  redisUrl: string | null;
}> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'pointgate-services-'));
  // Accessible to the service account, which would otherwise store its data elsewhere.
  chmodSync(dataDir, 0o755);
  const program = `
    import { startServices } from ${JSON.stringify(new URL('./start-services.ts', import.meta.url).href)};
    import { stopSignal } from ${JSON.stringify(new URL('../process/stop-signal.ts', import.meta.url).href)};
    const asked = stopSignal();
    const services = await startServices({ dataDir: ${JSON.stringify(dataDir)}, durable: ${options.durable} });
    console.log(JSON.stringify(services));
    await asked;
    await services.stop();
  `;
  const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, DATABASE_URL: '', REDIS_URL: '', ...options.env },
  });
  started.push({ child, dataDir });
  const [line] = await Promise.race([
    once(createInterface(child.stdout), 'line'),
    once(child, 'exit').then(([code]) => {
      throw new Error(`The services ended with ${code} before they were there.`);
    }),
  ]);
  return { child, dataDir, ...JSON.parse(String(line)) };
}

/** The processes of one run, including guards: their arguments contain the server's port. */
function serversOf(run: { databaseUrl: string; redisUrl: string | null }): string[] {
  const redisPort = run.redisUrl === null ? 'no redis' : new URL(run.redisUrl).port;
  const signs = [
    `port=${new URL(run.databaseUrl).port}`,
    `"--port","${redisPort}"`,
    `127.0.0.1:${redisPort}`,
  ];
  const list = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).split('\n');
  return list.filter((line) => signs.some((sign) => line.includes(sign)));
}

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}
