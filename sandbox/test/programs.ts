import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Service } from '../src/services.ts';

export type Program = {
  url: string;
  process: ChildProcess;
  get(path: string): Promise<unknown>;
  /** Posts to the control API; throws if the call is refused. */
  tell(path: string, body?: object): Promise<unknown>;
  stop(): Promise<void>;
};

/** Starts the real program on a free port and waits until it is ready. */
export async function startProgram(
  service: Service,
  env: Record<string, string>,
): Promise<Program> {
  const file = fileURLToPath(new URL(`../src/${service}.ts`, import.meta.url));
  const child = spawn(process.execPath, [file], {
    env: { ...process.env, PORT: '0', EXIT_WITH_PARENT: '1', ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [line] = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    once(child, 'exit').then(([code]) => {
      throw new Error(`${service} ended with ${code} before it was ready`);
    }),
  ]);
  const { url } = JSON.parse(line);

  return {
    url,
    process: child,
    get: async (path) => await read(await fetch(url + path)),
    tell: async (path, body = {}) =>
      await read(
        await fetch(url + path, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
      ),
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

async function read(response: Response): Promise<unknown> {
  const body: unknown = await response.json();
  if (!response.ok) throw new Error(`${response.status} ${JSON.stringify(body)}`);
  return body;
}
