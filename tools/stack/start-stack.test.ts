import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { waitUntil } from '../process/wait-until.ts';
import { paymentProviders } from './payment-providers.ts';
import { type Stack, type StackOptions, startStack } from './start-stack.ts';

// Each test starts a real PostgreSQL, which takes seconds on a busy machine.
const patience = { timeout: 240_000 };

// Durable data is stored below the root, which identifies the processes that use it. Tests that
// need neither run without it, in half the time.
const demo = { mode: 'demo', name: 'demo', fresh: true, durable: false } as const;

// A minimal program that starts and stops like one of the shop, and prints its environment.
const standIn = `
  const { APP_ENV, PORT, PORTAL_DIR, WEBHOOK_URL, STRIPE_WEBHOOK_SECRET, COLOUR } = process.env;
  const told = { APP_ENV, PORT, PORTAL_DIR, WEBHOOK_URL, STRIPE_WEBHOOK_SECRET, COLOUR };
  process.stdin.on('close', () => process.exit(0)).resume();
  process.on('SIGTERM', () => process.exit(0));
  console.log('warming up');
  console.log(JSON.stringify({ ready: true, told }));
`;

// Writes the root certificate of its API.
const standInForPaypal = `
  process.getBuiltinModule('fs').writeFileSync(process.env.TLS_FOLDER + '/paypal-root.pem', 'a root');
  ${standIn}`;

test(
  'each program of a stack starts with the addresses of the others, and all are gone after the stop',
  patience,
  async () => {
    const root = givenRepository();
    const stack = await givenStack(root, { serverEnv: { COLOUR: 'blue' }, durable: true });

    expect(stack.players).toEqual([{ loginName: 'mira' }]);
    expect(told(root, 'api')).toEqual({
      APP_ENV: 'development',
      PORT: new URL(stack.portal).port,
      PORTAL_DIR: join(root, 'portal/dist'),
      COLOUR: 'blue',
    });
    expect(told(root, 'stripe')).toMatchObject({
      WEBHOOK_URL: `${stack.api}/webhooks/stripe`,
      STRIPE_WEBHOOK_SECRET: stack.webhookSecret,
    });
    const { PAYPAL = '', WECHATPAY = '' } = stack.serverEnv;
    expect(JSON.parse(PAYPAL)).toMatchObject({ route: { rootCertificate: 'a root' } });
    expect(JSON.parse(WECHATPAY)).toMatchObject({
      notifyUrl: `${stack.api}/webhooks/wechatpay`,
      apiBase: stack.sandbox.wechatpay,
    });
    expect(stack.serverEnv).toMatchObject({ DATABASE_URL: stack.databaseUrl, COLOUR: 'blue' });
    expect(stackFile(root)).toMatchObject({ databaseUrl: stack.databaseUrl, pid: process.pid });
    await expect(startStack({ ...demo, root })).rejects.toThrow('runs already');

    await stack.stop();
    expect(processesIn(root)).toEqual([]);
    expect(existsSync(join(root, '.pointgate/demo/stack.json'))).toBe(false);
  },
);

describe('a stack of two apis and two workers', () => {
  const listens = `
    require('node:http').createServer((request, response) => {
      request.on('data', (body) => console.log(request.method + ' ' + request.url + ' ' + body));
      request.on('end', () => response.end('{}'));
    }).listen(Number(PORT), '127.0.0.1', () => console.log('listening'));`;
  const heard = `${standIn}${listens}`;
  let root: string;
  let stack: Stack;
  beforeAll(async () => {
    root = createRepository({
      'sandbox/package.json': '{ "type": "commonjs" }',
      'sandbox/src/stripe.ts': heard,
      'sandbox/src/paypal.ts': `${standInForPaypal}${listens}`,
      'sandbox/src/wechatpay.ts': heard,
      'sandbox/src/alipay.ts': heard,
      'sandbox/src/adyen.ts': heard,
    });
    stack = await startStack({ ...demo, root, apis: 2, workers: 2 });
  });
  afterAll(async () => {
    await stack?.stop();
    rmSync(root, { recursive: true, force: true });
  });

  test('each API of a stack has a port of its own', () => {
    expect(stack.apis[0]).toBe(stack.api);
    expect(new Set(stack.apis.map((url) => new URL(url).hostname))).toEqual(new Set(['localhost']));
    expect(new Set(stack.apis).size).toBe(2);
    const ports = ['api', 'api-2'].map((name) => told(root, name).PORT);
    expect(ports).toEqual(stack.apis.map((url) => new URL(url).port));
  });

  test.each(['api', 'worker'] as const)(
    'a stack of shop programs stays up when an %s program is killed, and can start it again with the same settings',
    patience,
    async (kind) => {
      const count = () => processesIn(root).filter((line) => line.includes(`${kind}.ts`)).length;
      const [, program] = stack.programs[kind];
      const before = told(root, `${kind}-2`);
      expect(count()).toBe(2);

      await program?.kill();
      expect(count()).toBe(1);
      await program?.start();
      expect(count()).toBe(2);
      expect(logOf(root, `${kind}-2`).match(/"ready":true/g)).toHaveLength(2);
      expect(told(root, `${kind}-2`)).toEqual(before);
      expect(await Promise.race([stack.failed, 'fine'])).toBe('fine');
      await expect(program?.start()).rejects.toThrow('runs already');
    },
  );

  test(
    'the webhooks of all payment providers can be directed to the second API of a stack',
    patience,
    async () => {
      for (const name of paymentProviders) {
        await waitUntil(() => logOf(root, name).includes('listening'), {
          timeoutMs: 60_000,
          what: `${name} does not listen`,
        });
      }
      const [, other = ''] = stack.apis;

      await stack.sendWebhooksTo(other, paymentProviders);

      for (const name of paymentProviders) {
        expect(logOf(root, name)).toContain(
          `POST /__sandbox/webhooks {"url":"${other}/webhooks/${name}"}`,
        );
      }
    },
  );
});

test(
  'a stack of shop programs stays up when its database is killed; started again, the database has its data and address',
  patience,
  async () => {
    const stack = await givenStack(givenRepository(), { durable: true });
    const client = await connect(stack.databaseUrl);
    const postgres = await client.query(`select current_setting('fsync') as fsync`);
    expect(postgres.rows).toEqual([{ fsync: 'on' }]);
    await client.query('create table kept as select 7 as seven');

    await stack.killDatabase();
    await expect(connect(stack.databaseUrl)).rejects.toThrow('ECONNREFUSED');
    await stack.startDatabase();

    const again = await connect(stack.databaseUrl);
    expect((await again.query('select seven from kept')).rows).toEqual([{ seven: 7 }]);
    expect(await Promise.race([stack.failed, 'fine'])).toBe('fine');
  },
);

test(
  'a stack of shop programs reports a failure when its database exits by itself',
  patience,
  async () => {
    const stack = await givenStack(givenRepository(), { durable: true });
    await stack.killDatabase();
    await stack.startDatabase();
    const client = await connect(stack.databaseUrl);
    const place = await client.query(`select current_setting('data_directory') as folder`);
    const pidFile = readFileSync(join(place.rows[0].folder, 'postmaster.pid'), 'utf8');

    process.kill(Number(pidFile.split('\n')[0]), 'SIGQUIT');

    expect(await stack.failed).toMatch(/^A server ended unexpectedly/);
  },
);

test(
  'a stack of shop programs that is started in bare mode does not build the portal',
  patience,
  async () => {
    const root = givenRepository();
    rmSync(join(root, 'portal'), { recursive: true });
    await givenStack(root, { mode: 'bare' });

    expect(told(root, 'api').PORTAL_DIR).toBeUndefined();
  },
);

test(
  'a stack of shop programs reports the exit code and the last output of a program that exits after the start',
  patience,
  async () => {
    const root = givenRepository({
      'server/src/worker.ts': `${standIn}; process.on('SIGUSR2', () => { console.log('no points left'); process.exit(3); });`,
    });
    const stack = await givenStack(root);
    const worker = processesIn(root).find((line) => line.includes('worker.ts'));

    process.kill(Number(worker?.trim().split(' ')[0]), 'SIGUSR2');

    expect(await stack.failed).toMatch(/worker ended: exit code 3\.[\s\S]*no points left/);
  },
);

test(
  'a stack of shop programs names a program that cannot start, with its last output, and stops all others',
  patience,
  async () => {
    const root = givenRepository({ 'server/src/api.ts': 'throw new Error("the key is missing")' });

    await expect(givenStack(root, { durable: true })).rejects.toThrow(
      /api ended: exit code 1\.[\s\S]*the key is missing/,
    );
    expect(processesIn(root)).toEqual([]);
  },
);

test.each(['demo', 'dev'])(
  'all processes of a stack are stopped after the process that started it in %s mode is killed',
  patience,
  async (mode) => {
    const root = givenRepository();
    const orchestrator = `
    import { startStack } from ${JSON.stringify(new URL('./start-stack.ts', import.meta.url).href)};
    await startStack({ mode: '${mode}', name: '${mode}', fresh: true, root: process.env.TEST_ROOT });
    console.log('up');
  `;
    const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', orchestrator], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, TEST_ROOT: root },
    });
    await once(createInterface(child.stdout), 'line');
    expect(processesIn(root).length).toBeGreaterThanOrEqual(5);

    child.kill('SIGKILL');

    await waitUntil(() => processesIn(root).length === 0, {
      timeoutMs: 60_000,
      what: 'something goes on running',
    });
  },
);

test(
  'a stack start that is aborted during the build leaves no process running',
  patience,
  async () => {
    const root = givenRepository({ 'slow.mjs': 'setInterval(() => {}, 1000);' });
    writeFileSync(
      join(root, 'package.json'),
      JSON.stringify({ type: 'module', scripts: { build: `node ${join(root, 'slow.mjs')}` } }),
    );
    rmSync(join(root, 'portal/dist'), { recursive: true });
    const abortion = new AbortController();
    const start = startStack({ ...demo, root, signal: abortion.signal });
    start.catch(() => {}); // Awaited below.
    await waitUntil(() => processesIn(root).some((line) => line.includes('slow.mjs')), {
      timeoutMs: 60_000,
      what: 'the build does not begin',
    });

    abortion.abort();

    await expect(start).rejects.toThrow('aborted');
    await waitUntil(() => processesIn(root).length === 0, {
      timeoutMs: 60_000,
      what: 'the build goes on',
    });
  },
);

function givenRepository(files: Record<string, string> = {}): string {
  const root = createRepository(files);
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  return root;
}

function createRepository(files: Record<string, string>): string {
  const root = mkdtempSync(join(tmpdir(), 'pointgate-stack-'));
  // Accessible to PostgreSQL's account.
  chmodSync(root, 0o755);
  const all: Record<string, string> = {
    'package.json': '{ "type": "module" }',
    'server/src/migrate.ts': '',
    'server/src/seed.ts': `console.log('{"ready":true,"players":[{"loginName":"mira"}]}')`,
    'server/src/api.ts': standIn,
    'server/src/worker.ts': standIn,
    'sandbox/src/stripe.ts': standIn,
    'sandbox/src/paypal.ts': standInForPaypal,
    'sandbox/src/wechatpay.ts': standIn,
    'sandbox/src/alipay.ts': standIn,
    'sandbox/src/adyen.ts': standIn,
    'sandbox/src/game.ts': standIn,
    'sandbox/src/mail.ts': standIn,
    'sandbox/src/sms.ts': standIn,
    'sandbox/src/identity.ts': standIn,
    'portal/package.json': '{}',
    'portal/index.html': '<title>Portal</title>',
    'portal/node_modules/vite/package.json': '{}',
    'portal/node_modules/vite/bin/vite.js': `
      require('node:http').createServer((_, response) => response.end('portal'))
        .listen(Number(process.argv[process.argv.indexOf('--port') + 1]), '127.0.0.1');
    `,
    'portal/dist/index.html': '<title>Portal</title>',
    ...files,
  };
  for (const [path, content] of Object.entries(all)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  return root;
}

async function givenStack(root: string, options: Partial<StackOptions> = {}): Promise<Stack> {
  const stack = await startStack({ ...demo, root, ...options });
  onTestFinished(stack.stop);
  return stack;
}

function logOf(root: string, name: string): string {
  return readFileSync(join(root, '.pointgate/demo/logs', `${name}.log`), 'utf8');
}

/** The environment of a program at its last start. */
function told(root: string, name: string): Record<string, string> {
  const lines = logOf(root, name).split('\n');
  return JSON.parse(lines.findLast((line) => line.startsWith('{')) ?? '').told;
}

async function connect(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: databaseUrl });
  // The test kills the database, so connection errors are expected.
  client.on('error', () => {});
  onTestFinished(() => client.end().catch(() => {}));
  await client.connect();
  return client;
}

function stackFile(root: string): unknown {
  return JSON.parse(readFileSync(join(root, '.pointgate/demo/stack.json'), 'utf8'));
}

/** Process id and command of everything started from the folder. */
function processesIn(root: string): string[] {
  const list = execFileSync('ps', ['-eo', 'pid,args'], { encoding: 'utf8' }).split('\n');
  return list.filter((line) => line.includes(root));
}
