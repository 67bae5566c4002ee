import { setTimeout as sleep } from 'node:timers/promises';
import { log } from '../platform/log.ts';

/** Prints a ready line for the process that started this one. */
export function sayReady(service: string, details: object = {}): void {
  process.stdout.write(`${JSON.stringify({ ready: true, service, ...details })}\n`);
}

/**
 * Stops once, on a signal or when the parent is gone, and exits when everything is closed. Health
 * checks report not ready before that.
 */
export function stopWhenTold(
  config: { EXIT_WITH_PARENT: boolean; STOP_DELAY_SECONDS: number },
  stopping: { isStopping: boolean },
  stop: () => Promise<void>,
): void {
  const stopOnce = () => {
    if (stopping.isStopping) return;
    stopping.isStopping = true;
    sleep(config.STOP_DELAY_SECONDS * 1000)
      .then(stop)
      .then(() => process.exit(0))
      .catch((error) => {
        log.error({ err: error }, 'could not stop cleanly');
        process.exit(1);
      });
  };
  process.on('SIGTERM', stopOnce);
  process.on('SIGINT', stopOnce);
  if (config.EXIT_WITH_PARENT) process.stdin.on('end', stopOnce).on('close', stopOnce).resume();
}
