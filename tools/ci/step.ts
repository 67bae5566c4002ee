import { spawn } from 'node:child_process';

export type Tally = { passed: number; failed: number };

/** Runs a command with its output on ours and returns its exit code; 127 if it cannot be run. */
export function runCommand(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'], env });
    child.on('error', (error) => {
      process.stderr.write(`Cannot run ${command}: ${error.message}\n`);
      resolve(127);
    });
    child.on('exit', (code) => resolve(code ?? 1));
  });
}

/** Runs one step of the build, says how it went and returns what it counts. */
export async function step(name: string, run: () => Promise<Tally>): Promise<Tally> {
  process.stdout.write(`\n── ${name}\n`);
  const start = performance.now();
  const tally = await run();
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  const verdict = tally.failed === 0 ? 'good' : `${tally.failed} FAILED`;
  process.stdout.write(`── ${name}: ${verdict}, ${seconds} s\n`);
  return tally;
}
