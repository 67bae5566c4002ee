import { accessSync, constants, mkdirSync, openSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { delimiter, join } from 'node:path';
import { freePort } from '../process/free-port.ts';
import { closeInput, spawnGuarded } from '../process/guarded.ts';
import { lastLinesOf } from '../process/last-lines.ts';
import { waitUntil } from '../process/wait-until.ts';
import { serviceAccount } from './account.ts';
import { type RunningService, watchService } from './running-service.ts';

/** Starts Valkey or Redis without persistence. Undefined if neither is installed. */
export async function startRedis(options: {
  dataDir: string;
  /** Any free port, unless it has to return at a known address. */
  port?: number;
}): Promise<RunningService | undefined> {
  const program = findProgram(['valkey-server', 'redis-server'], process.env.PATH ?? '');
  if (program === undefined) return undefined;
  mkdirSync(options.dataDir, { recursive: true });
  return await startServer({ program, log: join(options.dataDir, 'redis.log'), at: options.port });
}

export function findProgram(names: readonly string[], path: string): string | undefined {
  const folders = path.split(delimiter).filter((folder) => folder !== '');
  const candidates = names.flatMap((name) => folders.map((folder) => join(folder, name)));
  return candidates.find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

async function startServer(
  { program, log, at }: { program: string; log: string; at: number | undefined },
  attempt = 1,
): Promise<RunningService> {
  const port = at ?? (await freePort());
  const child = spawnGuarded(
    {
      command: program,
      args: ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'],
      cwd: '/',
      account: serviceAccount(),
      stopSignal: 'SIGTERM',
      patienceMs: 5_000,
      removeAfter: [],
    },
    { env: { PATH: '/usr/bin:/bin' }, output: openSync(log, 'w') },
  );
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  try {
    await waitUntil(async () => hasEnded() || (await answers(port)), {
      timeoutMs: 60_000,
      what: 'Redis does not answer',
    });
    if (hasEnded()) throw new Error('Redis did not start.');
  } catch (error) {
    await closeInput(child);
    const isPortTaken = readFileSync(log, 'utf8').includes('Address already in use');
    if (isPortTaken && attempt < 3) return startServer({ program, log, at }, attempt + 1);
    throw new Error(`${(error as Error).message}\n${await lastLinesOf(log)}`);
  }
  const { failed, stop } = watchService(child, log);
  return { url: `redis://127.0.0.1:${port}`, failed, stop };
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', timeout: 1_000 });
    const finish = (isUp: boolean) => {
      socket.destroy();
      resolve(isUp);
    };
    socket.on('connect', () => socket.write('PING\r\n'));
    socket.on('data', (reply) => finish(reply.toString().startsWith('+PONG')));
    socket.on('error', () => finish(false));
    socket.on('timeout', () => finish(false));
  });
}
