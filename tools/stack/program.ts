import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { spawnGuarded } from '../process/guarded.ts';
import { lastLinesOf } from '../process/last-lines.ts';
import { waitUntil } from '../process/wait-until.ts';
import { findReadyLine, type ReadyLine } from './ready-line.ts';

export type ProgramOptions = {
  name: string;
  command: string;
  args: string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
  logs: string;
  /** For programs that do not exit when their input is closed. */
  guarded?: boolean;
  /** For programs that are restarted: their earlier log is kept. */
  appendsToLog?: boolean;
};

export type Program = {
  name: string;
  /** Settles when the program has printed its ready line; rejects if it exits instead. */
  ready: () => Promise<void>;
  readyLine: () => ReadyLine | undefined;
  /** Settles when the program has exited; rejects if its exit code is not 0. */
  finished: () => Promise<void>;
  /** Settles with a description if the program exits unexpectedly. */
  failed: Promise<string>;
  stop: () => Promise<void>;
  /** Sends SIGKILL. */
  kill: () => Promise<void>;
  /** Sends SIGSTOP: the program accepts connections and never answers. */
  hang: () => void;
  /** Sends SIGCONT: the program continues with everything that was sent to it meanwhile. */
  resume: () => void;
};

const stopPatienceMs = 15_000;

/**
 * Starts a program of the shop. It stops with this process, and its output goes to its own log.
 */
export function startProgram(options: ProgramOptions): Program {
  mkdirSync(options.logs, { recursive: true });
  const log = join(options.logs, `${options.name}.log`);
  const logBegin = options.appendsToLog === true ? statSync(log).size : 0;
  const child = spawnWithLog(options, log);
  let isExpected = false;

  const exited = new Promise<string>((resolve) => {
    child.on('error', (error) => resolve(`could not be started: ${error.message}`));
    child.on('exit', (code, signal) => resolve(signal ?? `exit code ${code}`));
  });
  const hasEnded = () =>
    child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
  const readyLine = () => findReadyLine(readFileSync(log).subarray(logBegin).toString());
  const describeFailure = async (how: string) =>
    `${options.name} ended: ${how}. ${await lastLinesOf(log)}`;

  return {
    name: options.name,
    ready: async () => {
      await waitUntil(() => hasEnded() || readyLine() !== undefined, {
        timeoutMs: 60_000,
        what: `${options.name} is not ready; see ${log}`,
      });
      if (hasEnded()) throw new Error(await describeFailure(await exited));
    },
    readyLine,
    finished: async () => {
      const how = await exited;
      if (how !== 'exit code 0') throw new Error(await describeFailure(how));
    },
    failed: exited.then((how) =>
      isExpected ? new Promise<never>(() => {}) : describeFailure(how),
    ),
    stop: async () => {
      isExpected = true;
      if (hasEnded()) return;
      signalGroup(child, 'SIGTERM');
      // A stopped process receives the signal only when it continues.
      signalGroup(child, 'SIGCONT');
      const deadline = setTimeout(() => signalGroup(child, 'SIGKILL'), stopPatienceMs);
      await exited;
      clearTimeout(deadline);
    },
    kill: async () => {
      isExpected = true;
      signalGroup(child, 'SIGKILL');
      await exited;
    },
    hang: () => signalGroup(child, 'SIGSTOP'),
    resume: () => signalGroup(child, 'SIGCONT'),
  };
}

/** Signals the program and its children, because npm, for example, does not forward signals. */
function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch (error) {
    // It has exited in the meantime.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** The output goes directly to a file, so that the program is never blocked by us. */
function spawnWithLog(options: ProgramOptions, log: string): ChildProcess {
  const output = openSync(log, options.appendsToLog === true ? 'a' : 'w');
  try {
    if (options.guarded) {
      const { command, args, cwd, env } = options;
      const whenLeft = { stopSignal: 'SIGTERM', patienceMs: stopPatienceMs - 5_000 } as const;
      return spawnGuarded(
        { command, args, cwd, account: null, removeAfter: [], ...whenLeft },
        { env, output },
      );
    }
    return spawn(options.command, options.args, {
      cwd: options.cwd,
      env: { ...options.env, EXIT_WITH_PARENT: '1' },
      stdio: ['pipe', output, output],
      // A separate process group, so that Ctrl-C reaches only this process, which stops all in
      // order.
      detached: true,
    });
  } finally {
    closeSync(output);
  }
}
