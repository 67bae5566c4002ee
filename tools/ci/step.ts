import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

export type Tally = { passed: number; failed: number };

/** Receives the output of a step, line by line. */
export type Say = (line: string) => void;

export interface StepResult extends Tally {
  name: string;
  seconds: number;
}

const linesKept = 120;

/** Runs a command, forwards its output and returns its exit code; 127 if it cannot be run. */
export function runCommand(
  command: string,
  args: readonly string[],
  { env = process.env, say }: { env?: NodeJS.ProcessEnv; say: Say },
): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], env });
    passOn(child.stdout, say);
    passOn(child.stderr, say);
    child.on('error', (error) => {
      say(`Cannot run ${command}: ${error.message}`);
      resolve(127);
    });
    child.on('exit', (code) => {
      // Waits briefly for the last output, but not for processes that were left behind.
      const enough = setTimeout(() => {
        child.stdout.destroy();
        child.stderr.destroy();
      }, 5_000);
      child.on('close', () => {
        clearTimeout(enough);
        resolve(code ?? 1);
      });
    });
  });
}

function passOn(from: Readable, say: Say): void {
  createInterface({ input: from }).on('line', say);
}

const endings: string[] = [];

/** Runs a step, prints its result and returns its tally. Steps may run concurrently. */
export async function step(name: string, run: (say: Say) => Promise<Tally>): Promise<StepResult> {
  const lastLines: string[] = [];
  const say: Say = (line) => {
    process.stdout.write(`${name.padEnd(11)} │ ${line}\n`);
    lastLines.push(line);
    if (lastLines.length > linesKept) lastLines.shift();
  };
  process.stdout.write(`── ${name}\n`);
  const start = performance.now();
  const tally = await run(say);
  const seconds = (performance.now() - start) / 1000;
  const verdict = tally.failed === 0 ? 'good' : `${tally.failed} FAILED`;
  process.stdout.write(`── ${name}: ${verdict}, ${seconds.toFixed(1)} s\n`);
  if (tally.failed > 0)
    endings.push(`\n── ${name} FAILED and ended with\n${lastLines.join('\n')}\n`);
  return { name, seconds, ...tally };
}

/** Repeats the last output of failed steps at the end of the log, where it is seen. */
export function repeatFailures(): void {
  for (const ending of endings) process.stdout.write(ending);
}
