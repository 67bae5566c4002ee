import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Stack } from '../tools/stack/start-stack.ts';

const program = join(import.meta.dirname, '../server/src/operate.ts');

/** Runs an operator command in a separate process. */
export async function operate({ serverEnv }: Stack, args: readonly string[], input: unknown = '') {
  const child = spawn(process.execPath, [program, ...args], { env: serverEnv });
  child.stdin.end(JSON.stringify(input));
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { status: await ended, output, errors };
}
