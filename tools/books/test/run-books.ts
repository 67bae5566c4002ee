import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { paymentProviders } from '../../stack/payment-providers.ts';
import { startProviderStub } from './provider-stub.ts';

/** Runs the books program with the given stack files. */
export async function runBooks(
  stacks: Record<string, { sandbox: object; [of: string]: unknown }>,
  args: readonly string[] = [],
): Promise<{ code: number; stdout: string; stderr: string }> {
  const home = mkdtempSync(join(tmpdir(), 'books-'));
  const url = 'http://localhost';
  // A payment provider without payments.
  const unused = await startProviderStub([]);
  for (const [name, stack] of Object.entries(stacks)) {
    mkdirSync(join(home, name));
    const providers = Object.fromEntries(paymentProviders.map((psp) => [psp, unused.url]));
    const sandbox = { mail: url, sms: url, identity: url, ...providers, ...stack.sandbox };
    const places = { portal: url, api: url, smtp: url, paypalApi: url };
    const whole = { redisUrl: null, ...places, ...stack, sandbox };
    writeFileSync(join(home, name, 'stack.json'), JSON.stringify(whole));
  }
  const ended = await run([join(import.meta.dirname, '../books.ts'), home, ...args]);
  rmSync(home, { recursive: true });
  unused.stop();
  return ended;
}

export async function pidOfTheDead(): Promise<number> {
  const { pid } = await run(['--version']);
  return pid;
}

function run(args: string[]) {
  return new Promise<{ pid: number; code: number; stdout: string; stderr: string }>((resolve) => {
    const child = execFile(process.execPath, args, (error, stdout, stderr) => {
      const code = error === null ? 0 : Number(error.code);
      resolve({ pid: child.pid ?? 0, code, stdout, stderr });
    });
  });
}
