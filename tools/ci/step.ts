import { spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';

export type Tally = { passed: number; failed: number };

const linesKept = 120;
/** The last lines of the step that runs; steps run one after the other. */
let lastLines: string[] = [];

/** Runs a command with its output on ours and returns its exit code; 127 if it cannot be run. */
export function runCommand(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], env });
    passOn(child.stdout, process.stdout);
    passOn(child.stderr, process.stderr);
    child.on('error', (error) => {
      process.stderr.write(`Cannot run ${command}: ${error.message}\n`);
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

function passOn(from: Readable, to: Writable): void {
  from.setEncoding('utf8').on('data', (text: string) => {
    to.write(text);
    lastLines = [...lastLines, ...text.split('\n')].slice(-linesKept);
  });
}

const endings: string[] = [];

/** Runs one step of the build, says how it went and returns what it counts. */
export async function step(name: string, run: () => Promise<Tally>): Promise<Tally> {
  process.stdout.write(`\n── ${name}\n`);
  lastLines = [];
  const start = performance.now();
  const tally = await run();
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  const verdict = tally.failed === 0 ? 'good' : `${tally.failed} FAILED`;
  process.stdout.write(`── ${name}: ${verdict}, ${seconds} s\n`);
  if (tally.failed > 0)
    endings.push(`\n── ${name} FAILED and ended with\n${lastLines.join('\n')}\n`);
  return tally;
}

/** Says once more how the failed steps ended: the end of a long log is what people are shown. */
export function repeatFailures(): void {
  for (const ending of endings) process.stdout.write(ending);
}
