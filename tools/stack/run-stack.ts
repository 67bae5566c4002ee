import { freePort } from '../process/free-port.ts';
import { stopSignal } from '../process/stop-signal.ts';
import { type Stack, type StackOptions, startStack } from './start-stack.ts';

/**
 * Runs a stack from the command line: starts it, prints its addresses, and stops it on request or
 * failure.
 */
export async function runStack(
  options: Omit<StackOptions, 'signal' | 'say' | 'preferredPorts'> & { port: number },
  announce: (stack: Stack) => void,
): Promise<void> {
  const { port, ...rest } = options;
  const say = (progress: string) => void process.stderr.write(`… ${progress}\n`);
  const abortController = new AbortController();
  const stopRequested = stopSignal();
  void stopRequested.then(() => abortController.abort());
  try {
    const preferredPorts = [await portOr(port)];
    const stack = await startStack({
      ...rest,
      say,
      preferredPorts,
      signal: abortController.signal,
    });
    announce(stack);
    const failure = await Promise.race([stopRequested.then(() => undefined), stack.failed]);
    say('stopping');
    await stack.stop();
    if (failure !== undefined) throw new Error(failure);
  } catch (error) {
    if (abortController.signal.aborted) return;
    process.stderr.write(`${(error as Error).message}\n`);
    process.exitCode = 1;
  }
}

/** A requested port must be free; a merely preferred port is replaced if it is taken. */
async function portOr(preferred: number): Promise<number> {
  if (!process.env.PORT) return preferred;
  const requested = Number(process.env.PORT);
  if ((await freePort([requested])) !== requested) throw new Error(`PORT ${requested} is taken.`);
  return requested;
}
