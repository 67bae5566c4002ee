import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Runs the program itself, where these stacks have left their files. */
export async function runBooks(
  stacks: Record<string, { sandbox: object; [of: string]: unknown }>,
  args: readonly string[] = [],
): Promise<{ code: number; stdout: string; stderr: string }> {
  const home = mkdtempSync(join(tmpdir(), 'books-'));
  const url = 'http://localhost';
  for (const [name, stack] of Object.entries(stacks)) {
    mkdirSync(join(home, name));
    const sandbox = { mail: url, sms: url, identity: url, ...stack.sandbox };
    const whole = { redisUrl: null, portal: url, api: url, smtp: url, ...stack, sandbox };
    writeFileSync(join(home, name, 'stack.json'), JSON.stringify(whole));
  }
  const ended = await run([join(import.meta.dirname, '../books.ts'), home, ...args]);
  rmSync(home, { recursive: true });
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
