import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type Addresses, type SandboxService, sandboxServices } from './addresses.ts';
import type { Task } from './crew.ts';
import { type Environments, inherited } from './environments.ts';

/** The sandbox programs. */
export function worldTasksOf(input: {
  root: string;
  isDev: boolean;
  world: Record<SandboxService, NodeJS.ProcessEnv>;
}): Task[] {
  const { lasting } = waysToRun(input);
  return sandboxServices.map((name) => lasting(name, `sandbox/src/${name}.ts`, input.world[name]));
}

/** Needs only the database. */
export function migrateTask(root: string, databaseUrl: string): Task {
  const env = { ...inherited(), DATABASE_URL: databaseUrl };
  return waysToRun({ root, isDev: false }).once('migrate', 'server/src/migrate.ts', env);
}

/** A program for a given checkout of the sources, because upgrades switch between two. */
export type TaskIn = (root: string) => Task;

/** The server programs. */
export function tasksOf(input: { isDev: boolean; environments: Environments }) {
  const { isDev, environments } = input;
  const { server, apis } = environments;
  const lasting =
    (name: string, entry: string, env: NodeJS.ProcessEnv): TaskIn =>
    (root) =>
      waysToRun({ root, isDev }).lasting(name, entry, env);
  return {
    seed: (root: string) => waysToRun({ root, isDev }).once('seed', 'server/src/seed.ts', server),
    apis: apis.map((env, index) => lasting(numbered('api', index), 'server/src/api.ts', env)),
    worker: (index: number) => lasting(numbered('worker', index), 'server/src/worker.ts', server),
  };
}

/** Paths are absolute, so that the process list identifies the stack. */
function waysToRun({ root, isDev }: { root: string; isDev: boolean }) {
  const once = (name: string, entry: string, env: NodeJS.ProcessEnv): Task => {
    return { name, command: process.execPath, args: [join(root, entry)], env };
  };
  // Restarted whenever an imported file changes. The watcher needs a guard, because it would
  // outlive us.
  const watched = (name: string, entry: string, env: NodeJS.ProcessEnv): Task => {
    const args = ['--watch', '--watch-preserve-output', join(root, entry)];
    return { name, command: process.execPath, args, env, guarded: true };
  };
  return { once, lasting: isDev ? watched : once };
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
