import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { inject } from 'vitest';
import { z } from 'zod';
import { startProgram } from '../../tools/stack/program.ts';
import { costing } from './costs.ts';
import { demoGame } from './demo.ts';
import { testIndexKey } from './identities.ts';
import { type TestShop, testCodeKey, webhookSecret } from './shop.ts';

/** The api or the worker as a separate process, on the database of the test's shop. */
export interface ShopProcess {
  /** The address of an api. */
  url: string;
  /** All log lines so far. */
  lines(): Record<string, unknown>[];
  output(): string;
  /** The address of a worker's health checks, if it has a port for them. */
  healthUrl: string;
  /** Sends SIGTERM and waits for the exit. */
  stop(): Promise<void>;
  /** Rejects if the exit status was not 0. */
  finished(): Promise<void>;
  kill(): Promise<void>;
}

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The settings of the shop's programs. */
export function shopEnvironment(shop: TestShop): NodeJS.ProcessEnv {
  const redisUrl = inject('redisUrl');
  return {
    ...process.env,
    APP_ENV: 'development',
    PORT: '0',
    LOG_LEVEL: 'debug',
    DATABASE_URL: shop.databaseUrl,
    ...(redisUrl === null ? {} : { REDIS_URL: redisUrl }),
    LOGIN_KEYS: JSON.stringify(shop.loginKeys),
    CODE_PEPPER: 'a pepper that is only for tests, and long',
    IDENTITY_INDEX_KEY: testIndexKey.toString('base64'),
    REDEEM_CODE_KEY: testCodeKey.toString('base64'),
    STRIPE_SECRET_KEY: 'sk_test',
    STRIPE_WEBHOOK_SECRETS: webhookSecret,
    STRIPE_API_BASE: shop.stripe.url,
    GAME_SECRETS: JSON.stringify({ [demoGame.id]: ['a-secret-of-the-game'] }),
  };
}

export async function startShopProcess(
  shop: TestShop,
  role: 'api' | 'worker',
  environment: Record<string, string> = {},
): Promise<ShopProcess> {
  const logs = mkdtempSync(join(tmpdir(), 'pointgate-test-'));
  const program = startProgram({
    name: role,
    command: process.execPath,
    args: [`server/src/${role}.ts`],
    cwd: root,
    env: { ...shopEnvironment(shop), ...environment },
    logs,
  });
  await costing('program', program.ready);
  const { url = '', healthUrl = '' } = z
    .object({ url: z.url().optional(), healthUrl: z.url().optional() })
    .parse(program.readyLine());
  const output = () => readFileSync(join(logs, `${role}.log`), 'utf8');
  return {
    url: url.replace('127.0.0.1', 'localhost'),
    healthUrl,
    output,
    lines: () =>
      output()
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => z.record(z.string(), z.unknown()).parse(JSON.parse(line))),
    stop: () => program.stop(),
    finished: () => program.finished(),
    kill: () => program.kill(),
  };
}

/** The standard input of a command, and additional settings. */
export interface CommandOptions {
  input?: unknown;
  environment?: NodeJS.ProcessEnv;
}

export interface CommandEnd {
  status: number | null;
  out: string;
  complaint: string;
}

/** Runs an operator command as a separate process, with its standard input. */
export async function operateByProgram(
  shop: TestShop,
  args: readonly string[],
  { input = '', environment = {} }: CommandOptions = {},
): Promise<CommandEnd> {
  const child = spawn(process.execPath, [join(root, 'server/src/operate.ts'), ...args], {
    env: { ...shopEnvironment(shop), ...environment },
  });
  // A command that fails at once exits without reading its input.
  child.stdin.on('error', () => {});
  child.stdin.end(typeof input === 'string' ? input : JSON.stringify(input));
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const [out, complaint, status] = await costing('program', () =>
    Promise.all([text(child.stdout), text(child.stderr), ended]),
  );
  return { status, out, complaint };
}
