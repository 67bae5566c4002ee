import { execFileSync } from 'node:child_process';

/**
 * SIGKILL to a process and its children, all of them at one instant as far as they can tell: the
 * parent is stopped first, so that it neither starts another nor sees one die.
 */
export function killWithChildren(pid: number): void {
  if (!(pid > 1)) throw new Error('There is no such process to kill.');
  process.kill(pid, 'SIGSTOP');
  for (const victim of [...childrenOf(pid), pid]) kill(victim);
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
    // It ended by itself this instant.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
