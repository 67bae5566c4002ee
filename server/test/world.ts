import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { startProgram } from '../../tools/stack/program.ts';
import { costing } from './costs.ts';

/** A sandbox service, opened for a test file. */
export interface Outsider {
  url: string;
  /** Reads from its control API. */
  ask(path: string): Promise<unknown>;
  /** Configures its behaviour through its control API. */
  tell(path: string, body: object): Promise<unknown>;
  stop(): Promise<void>;
}

const root = fileURLToPath(new URL('../..', import.meta.url));
const Opened = z.object({ url: z.url() });

let host: Promise<string> | undefined;

/** One sandbox process for all test files of a worker. It ends with the worker. */
function startHost(): Promise<string> {
  host ??= (async () => {
    const program = startProgram({
      name: 'host',
      command: process.execPath,
      args: ['sandbox/src/host.ts'],
      cwd: root,
      env: { ...process.env, PORT: '0' },
      logs: mkdtempSync(join(tmpdir(), 'pointgate-test-')),
    });
    await program.ready();
    return Opened.parse(program.readyLine()).url;
  })();
  return host;
}

/** Opens a sandbox service on a free port, with separate data. */
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
  const hostUrl = await costing('program', startHost);
  const { url } = Opened.parse(
    await costing('sandbox', () => post(`${hostUrl}/open`, { service, env })),
  );
  return {
    url,
    ask: async (path) => await readJson(await fetch(url + path)),
    tell: (path, body) => post(url + path, body),
    stop: async () => {
      await post(`${hostUrl}/close`, { url });
    },
  };
}

async function post(url: string, body: object): Promise<unknown> {
  const headers = { 'content-type': 'application/json' };
  return await readJson(await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) }));
}

async function readJson(response: Response): Promise<unknown> {
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.status} ${text}`);
  return JSON.parse(text);
}
