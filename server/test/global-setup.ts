import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { isAlive } from '../../tools/process/is-alive.ts';
import { type Services, startServices } from '../../tools/services/start-services.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The URL of a database from which others can be created and dropped. */
    adminUrl: string;
    /** Null if Redis is not installed. */
    redisUrl: string | null;
  }
}

const root = fileURLToPath(new URL('../..', import.meta.url));

const home = join(root, '.pointgate', 'test');
const folder = join(home, `${process.pid}`);
let services: Services | undefined;

/** Runs once: starts the servers and migrates the database that every test file copies. */
export async function setup(project: TestProject): Promise<void> {
  removeLeftovers();
  services = await startServices({ dataDir: folder, durable: false });
  try {
    const adminUrl = withDatabase(services.databaseUrl, 'postgres');
    await createTemplate(adminUrl);
    project.provide('adminUrl', adminUrl);
    project.provide('redisUrl', services.redisUrl);
  } catch (error) {
    await teardown();
    throw error;
  }
}

export async function teardown(): Promise<void> {
  await services?.stop();
  rmSync(folder, { recursive: true, force: true });
}

/**
 * Removes logs of killed runs; their servers have stopped and deleted their data by themselves.
 */
function removeLeftovers(): void {
  mkdirSync(home, { recursive: true });
  for (const pid of readdirSync(home)) {
    if (!isAlive(Number(pid))) rmSync(join(home, pid), { recursive: true, force: true });
  }
}

async function createTemplate(adminUrl: string): Promise<void> {
  const admin = new pg.Client({ connectionString: adminUrl });
  await admin.connect();
  try {
    await admin.query('drop database if exists template_pointgate with (force)');
    await admin.query('create database template_pointgate');
    await migrate(withDatabase(adminUrl, 'template_pointgate'));
  } finally {
    await admin.end();
  }
}

async function migrate(url: string): Promise<void> {
  const env = { ...process.env, APP_ENV: 'development', DATABASE_URL: url };
  try {
    await promisify(execFile)(process.execPath, [join(root, 'server/src/migrate.ts')], { env });
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`The test database could not be migrated:\n${stdout}${stderr}`);
  }
}

function withDatabase(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}
