import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type Addresses, type SandboxService, sandboxServices } from './addresses.ts';
import { type Environments, inherited } from './environments.ts';
import type { Task } from './process-group.ts';

/** The sandbox programs. */
export function sandboxTasks(input: {
  root: string;
  isDev: boolean;
  environments: Record<SandboxService, NodeJS.ProcessEnv>;
}): Task[] {
  const { longRunning } = taskBuilders(input);
  return sandboxServices.map((name) =>
    longRunning(name, `sandbox/src/${name}.ts`, input.environments[name]),
  );
}

/** Needs only the database. */
export function migrateTask(root: string, databaseUrl: string): Task {
  const env = { ...inherited(), APP_ENV: 'development', DATABASE_URL: databaseUrl };
  return taskBuilders({ root, isDev: false }).once('migrate', 'server/src/migrate.ts', env);
}

/** A program for a given checkout of the sources, because upgrades switch between two. */
export type TaskIn = (root: string) => Task;

/** The server programs. */
export function tasksOf(input: { isDev: boolean; environments: Environments }) {
  const { isDev, environments } = input;
  const { server, apis } = environments;
  const longRunning =
    (name: string, entry: string, env: NodeJS.ProcessEnv): TaskIn =>
    (root) =>
      taskBuilders({ root, isDev }).longRunning(name, entry, env);
  return {
    seed: (root: string) => {
      const env = { ...server, SHOP_DIR: join(root, 'demo/shop') };
      return taskBuilders({ root, isDev }).once('seed', 'server/src/seed.ts', env);
    },
    apis: apis.map((env, index) => longRunning(numbered('api', index), 'server/src/api.ts', env)),
    worker: (index: number) =>
      longRunning(numbered('worker', index), 'server/src/worker.ts', server),
  };
}

/** Paths are absolute, so that the process list identifies the stack. */
function taskBuilders({ root, isDev }: { root: string; isDev: boolean }) {
  const once = (name: string, entry: string, env: NodeJS.ProcessEnv): Task => {
    return { name, command: process.execPath, args: [join(root, entry)], env };
  };
  // Restarted whenever an imported file changes. The watcher needs a guard, because it would
  // outlive us.
  const watched = (name: string, entry: string, env: NodeJS.ProcessEnv): Task => {
    const args = ['--watch', '--watch-preserve-output', join(root, entry)];
    return { name, command: process.execPath, args, env, guarded: true };
  };
  return { once, longRunning: isDev ? watched : once };
}

function numbered(name: string, index: number): string {
  return index === 0 ? name : `${name}-${index + 1}`;
}

export function buildTask(): Task {
  return { name: 'build', command: 'npm', args: ['run', 'build'], env: process.env };
}

/** Vite reads the api's address from API_URL, see portal/vite.config.ts. */
export function viteTask(root: string, addresses: Addresses): Task {
  const manifest = createRequire(join(root, 'portal/package.json')).resolve('vite/package.json');
  const vite = join(dirname(manifest), 'bin/vite.js');
  const place = ['--host', '127.0.0.1', '--port', new URL(addresses.portal).port, '--strictPort'];
  return {
    name: 'vite',
    command: process.execPath,
    args: [vite, join(root, 'portal'), ...place],
    env: { ...process.env, API_URL: addresses.api },
    guarded: true,
  };
}
