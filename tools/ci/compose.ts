import { spawnSync } from 'node:child_process';
import { runCommand, type Say } from './step.ts';

// Settings required by compose.yaml; any value allows it to be parsed.
const required = [
  'POSTGRES_PASSWORD',
  'API_DATABASE_PASSWORD',
  'WORKER_DATABASE_PASSWORD',
  'LOGIN_KEYS',
  'IDENTITY_INDEX_KEY',
  'CODE_PEPPER',
];

/** Lets Docker Compose parse compose.yaml with all profiles. Needs no container engine. */
export async function checkCompose(say: Say): Promise<number> {
  const compose = findCompose();
  if (compose === undefined) {
    say('Neither "docker compose" nor docker-compose is installed.');
    return 127;
  }
  const [command, ...args] = compose;
  const secrets = Object.fromEntries(required.map((name) => [name, 'x']));
  const env = { ...process.env, ...secrets };
  const common = [...args, '--file', 'compose.yaml'];
  return (
    (await runCommand(command, [...common, 'config', '--quiet'], { env, say })) ||
    (await runCommand(command, [...common, '--profile', 'demo', 'config', '--quiet'], { env, say }))
  );
}

function findCompose(): [string, ...string[]] | undefined {
  const candidates: [string, ...string[]][] = [['docker', 'compose'], ['docker-compose']];
  return candidates.find(
    ([command, ...args]) =>
      spawnSync(command, [...args, 'version'], { stdio: 'ignore' }).status === 0,
  );
}
