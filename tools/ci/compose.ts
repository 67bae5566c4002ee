import { spawnSync } from 'node:child_process';
import { runCommand } from './step.ts';

// compose.yaml insists on these; any value lets it be read.
const required = [
  'POSTGRES_PASSWORD',
  'LOGIN_KEYS',
  'IDENTITY_INDEX_KEY',
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRETS',
  'GAME_SECRETS',
  'CODE_PEPPER',
];

/** Has a Compose read compose.yaml, all profiles. Needs no container engine. */
export async function checkCompose(): Promise<number> {
  const compose = findCompose();
  if (compose === undefined) {
    process.stderr.write('Neither "docker compose" nor docker-compose is installed.\n');
    return 127;
  }
  const [command, ...args] = compose;
  const secrets = Object.fromEntries(required.map((name) => [name, 'x']));
  const env = { ...process.env, ...secrets };
  const common = [...args, '--file', 'compose.yaml'];
  return (
    (await runCommand(command, [...common, 'config', '--quiet'], env)) ||
    (await runCommand(command, [...common, '--profile', 'demo', 'config', '--quiet'], env))
  );
}

function findCompose(): [string, ...string[]] | undefined {
  const candidates: [string, ...string[]][] = [['docker', 'compose'], ['docker-compose']];
  return candidates.find(
    ([command, ...args]) =>
      spawnSync(command, [...args, 'version'], { stdio: 'ignore' }).status === 0,
  );
}
