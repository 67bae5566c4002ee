import { freePort } from '../process/free-port.ts';
import { stopSignal } from '../process/stop-signal.ts';
import { type Stack, type StackOptions, startStack } from './start-stack.ts';

/** The life of a stack at the command line: up, announced, and down again when asked to or broken. */
export async function runStack(
  options: Omit<StackOptions, 'signal' | 'say' | 'preferredPorts'> & { port: number },
  announce: (stack: Stack) => void,
): Promise<void> {
  const { port, ...rest } = options;
  const say = (progress: string) => void process.stderr.write(`… ${progress}\n`);
  const abortion = new AbortController();
  const asked = stopSignal();
  void asked.then(() => abortion.abort());
  try {
    const preferredPorts = [await portOr(port)];
    const stack = await startStack({ ...rest, say, preferredPorts, signal: abortion.signal });
    announce(stack);
    const failure = await Promise.race([asked.then(() => undefined), stack.failed]);
    say('stopping');
    await stack.stop();
    if (failure !== undefined) throw new Error(failure);
  } catch (error) {
    if (abortion.signal.aborted) return;
    process.stderr.write(`${(error as Error).message}\n`);
    process.exitCode = 1;
  }
}

/** A port that was asked for is meant; one we merely like gives way when it is taken. */
async function portOr(liked: number): Promise<number> {
  if (!process.env.PORT) return liked;
  const meant = Number(process.env.PORT);
  if ((await freePort([meant])) !== meant) throw new Error(`PORT ${meant} is taken.`);
  return meant;
}
