import { log } from './platform/log.ts';

/** Says on standard output that the process is up, for whoever started it. */
export function sayReady(service: string, details: object = {}): void {
  process.stdout.write(`${JSON.stringify({ ready: true, service, ...details })}\n`);
}

/** Stops once, on a signal or when the parent is gone, and ends the process when all is put away. */
export function stopWhenTold(
  { exitWithParent }: { exitWithParent: boolean },
  stop: () => Promise<void>,
): void {
  let isStopping = false;
  const stopOnce = () => {
    if (isStopping) return;
    isStopping = true;
    stop()
      .then(() => process.exit(0))
      .catch((error) => {
        log.error({ err: error }, 'could not stop cleanly');
        process.exit(1);
      });
  };
  process.on('SIGTERM', stopOnce);
  process.on('SIGINT', stopOnce);
  if (exitWithParent) process.stdin.on('end', stopOnce).on('close', stopOnce).resume();
}
