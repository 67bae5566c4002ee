// Runs a program and stops it cleanly when the parent process is gone for any reason: our standard
// input is a pipe from the parent, which the kernel closes even after SIGKILL. PostgreSQL and file
// watchers do not watch a pipe themselves.
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import type { GuardOrder } from './guarded.ts';

// Only guarded.ts starts this program, so the argument has this form.
const order = JSON.parse(process.argv[2] ?? '') as GuardOrder;

const child = spawn(order.command, order.args, {
  // Its input is closed when we exit, for programs that watch it.
  stdio: ['pipe', 'inherit', 'inherit'],
  cwd: order.cwd,
  ...order.account,
});
let isStopping = false;

child.on('error', (error) => {
  process.stderr.write(`Cannot run ${order.command}: ${error.message}\n`);
  leave(127);
});
child.on('exit', (code, signal) => leave(code ?? (signal === null ? 0 : 128)));
for (const event of ['end', 'close', 'error']) process.stdin.on(event, stop);
process.stdin.resume();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);

function stop(): void {
  if (isStopping) return;
  isStopping = true;
  child.kill(order.stopSignal);
  setTimeout(() => child.kill('SIGKILL'), order.patienceMs).unref();
}

function leave(code: number): void {
  for (const path of order.removeAfter) rmSync(path, { recursive: true, force: true });
  process.exit(code);
}
