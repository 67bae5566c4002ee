import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { environmentsOf } from './environments.ts';
import { merchantAccountsOf } from './merchant-accounts.ts';
import { loadOrCreateSecrets } from './secrets.ts';
import { readRunningStack } from './stack-file.ts';

const root = join(import.meta.dirname, '../..');

/**
 * Runs a program of the shop in the environment of the running demo, or else of the running dev shop,
 * with the arguments of this process. The exit status is that of the program.
 */
export function runOnStack(program: string, { needsStack }: { needsStack: boolean }): void {
  const args = [join(root, 'server/src', program), ...process.argv.slice(2)];
  const run = (env: NodeJS.ProcessEnv) =>
    spawnSync(process.execPath, args, { stdio: 'inherit', env }).status ?? 1;
  const asksForHelp = process.argv.slice(2).some((arg) => ['help', '--help', '-h'].includes(arg));
  const running = ['demo', 'dev']
    .map((name) => join(root, '.pointgate', name))
    .map((home) => ({ home, stack: readRunningStack(join(home, 'stack.json')) }))
    .find(({ stack }) => stack !== undefined);
  if (asksForHelp) {
    process.exitCode = run(process.env);
  } else if (running?.stack !== undefined) {
    const { home, stack } = running;
    const addresses = { ...stack, apis: [stack.api] };
    const secrets = loadOrCreateSecrets(join(home, 'secrets.json'));
    const { server } = environmentsOf({
      services: stack,
      addresses,
      secrets,
      merchantAccounts: merchantAccountsOf(addresses, secrets, home),
      portalDir: undefined,
      extra: { LOG_LEVEL: 'warn' },
    });
    process.exitCode = run(server);
  } else if (needsStack) {
    process.stderr.write('No shop is running: start one first, with npm run demo.\n');
    process.exitCode = 2;
  } else {
    process.exitCode = run(process.env);
  }
}
