import { execFileSync } from 'node:child_process';

/**
 * Sends SIGKILL to a process and its children. The parent is stopped first, so that it neither
 * starts another child nor notices the death of one.
 */
export function killWithChildren(pid: number): void {
  if (!(pid > 1)) throw new Error('There is no such process to kill.');
  process.kill(pid, 'SIGSTOP');
  for (const each of [...childrenOf(pid), pid]) kill(each);
}

function childrenOf(pid: number): number[] {
  const list = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  return list
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([child = 0, parent]) => (parent === pid ? [child] : []));
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    // It has exited in the meantime.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
