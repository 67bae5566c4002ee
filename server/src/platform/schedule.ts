import { log } from './log.ts';

/**
 * Runs the work again and again, never twice at once, until the answered function is called; that
 * waits for a run under way. A run that fails is logged and the next one tries again.
 */
export function repeatEvery(
  { name, everyMs }: { name: string; everyMs: number },
  work: () => Promise<void>,
): () => Promise<void> {
  let isStopping = false;
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  const run = () => {
    running = work()
      .catch((error) => log.error({ err: error, schedule: name }, 'scheduled work failed'))
      .then(() => {
        if (!isStopping) timer = setTimeout(run, everyMs);
      });
  };
  run();
  return async () => {
    isStopping = true;
    clearTimeout(timer);
    await running;
  };
}
