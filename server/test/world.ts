import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { startProgram } from '../../tools/stack/program.ts';

/** One program of the sandbox, started for a test file. */
export interface Outsider {
  url: string;
  /** Reads its records. */
  ask(path: string): Promise<unknown>;
  /** Tells its control API to behave in some way. */
  tell(path: string, body: object): Promise<unknown>;
  stop(): Promise<void>;
}

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Starts the real program on a free port. It ends with the process of the tests at the latest. */
export async function startOutsider(
  service:
    | 'stripe'
    | 'adyen'
    | 'alipay'
    | 'paypal'
    | 'game'
    | 'mail'
    | 'sms'
    | 'identity'
    | 'wechatpay',
  env: Record<string, string>,
): Promise<Outsider> {
  const program = startProgram({
    name: service,
    command: process.execPath,
    args: [`sandbox/src/${service}.ts`],
    cwd: root,
    env: { ...process.env, PORT: '0', ...env },
    logs: mkdtempSync(join(tmpdir(), 'pointgate-test-')),
  });
  await program.ready();
  const { url } = z.object({ url: z.url() }).parse(program.readyLine());
  return {
    url,
    ask: async (path) => await readJson(await fetch(url + path)),
    tell: async (path, body) =>
      await readJson(
        await fetch(url + path, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
      ),
    stop: () => program.stop(),
  };
}

async function readJson(response: Response): Promise<unknown> {
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.status} ${text}`);
  return JSON.parse(text);
}
