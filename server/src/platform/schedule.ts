import { log } from './log.ts';

/**
 * Repeats the work, never concurrently, until the returned function is called, which waits for a
 * running iteration. A failed run is logged and the next one follows as usual.
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
