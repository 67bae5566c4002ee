import type { ChildProcess } from 'node:child_process';

export type RunningService = {
  url: string;
  log: string;
  child: ChildProcess;
  stop: () => Promise<void>;
};
