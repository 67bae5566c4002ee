import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { operate as runCommand } from '../src/operators/operators.ts';
import { type CommandEnd, type CommandOptions, shopEnvironment } from './processes.ts';
import type { TestShop } from './shop.ts';

/** Runs an operator command in this process, because starting a process takes most of its time. */
export async function operate(
  shop: TestShop,
  args: readonly string[],
  { input = '', environment = {} }: CommandOptions = {},
): Promise<CommandEnd> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const [out, complaint] = [text(stdout), text(stderr)];
  const status = await runCommand({
    args: [...args],
    // A shop sets the log level for the whole process.
    environment: { ...shopEnvironment(shop), LOG_LEVEL: shop.config.LOG_LEVEL, ...environment },
    stdin: Readable.from([typeof input === 'string' ? input : JSON.stringify(input)]),
    stdout,
    stderr,
  }).finally(() => {
    stdout.end();
    stderr.end();
  });
  return { status, out: await out, complaint: await complaint };
}

/** Runs a command as the operator ines and parses its output as JSON. */
export async function operateForJson(
  shop: TestShop,
  args: readonly string[],
  input: unknown = '',
  run = operate,
) {
  const { out, ...ended } = await run(shop, [...args, '--by', 'ines'], { input });
  return { ...ended, said: out === '' ? null : JSON.parse(out) };
}
