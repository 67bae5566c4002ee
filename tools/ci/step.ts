import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

export type Tally = { passed: number; failed: number };

/** Where a step's output goes, a line at a time. */
export type Say = (line: string) => void;

export interface StepResult extends Tally {
  name: string;
  seconds: number;
}

const linesKept = 120;

/** Runs a command, passes its output on and returns its exit code; 127 if it cannot be run. */
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
      // Its last words may still be on their way, but a process that it left behind is not waited for.
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

/** Runs one step of the build, says how it went and returns what it counts. Steps may run side by side. */
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

/** Says once more how the failed steps ended: the end of a long log is what people are shown. */
export function repeatFailures(): void {
  for (const ending of endings) process.stdout.write(ending);
}
