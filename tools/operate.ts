// Runs an operator command on the running demo, or else on the running dev shop:
// npm run operate -- cases
// For another shop, run server/src/operate.ts in the environment of its migrations instead.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { environmentsOf } from './stack/environments.ts';
import { merchantAccountsOf } from './stack/merchant-accounts.ts';
import { loadOrCreateSecrets } from './stack/secrets.ts';
import { readRunningStack } from './stack/stack-file.ts';

const root = join(import.meta.dirname, '..');

const running = ['demo', 'dev']
  .map((name) => join(root, '.pointgate', name))
  .map((home) => ({ home, stack: readRunningStack(join(home, 'stack.json')) }))
  .find(({ stack }) => stack !== undefined);

const args = [join(root, 'server/src/operate.ts'), ...process.argv.slice(2)];
const asksForHelp = process.argv.slice(2).some((arg) => ['help', '--help', '-h'].includes(arg));

if (asksForHelp) {
  process.exitCode = spawnSync(process.execPath, args, { stdio: 'inherit' }).status ?? 1;
} else if (running?.stack === undefined) {
  process.stderr.write('No shop is running: start one first, with npm run demo.\n');
  process.exitCode = 2;
} else {
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
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit', env: server });
  process.exitCode = status ?? 1;
}
