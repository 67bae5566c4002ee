import { vi } from 'vitest';
import { z } from 'zod';
import { eventually, type TestShop } from './shop.ts';
import type { Outsider } from './world.ts';

// A fault `hang` without a duration holds the call until it is released, however slow the machine
// is.

const Waiting = z.object({ faults: z.array(z.unknown()) });

/** Waits until the sandbox service has used all planned faults, so that the call hangs. */
export async function untilHangs(outsider: Outsider): Promise<void> {
  await eventually(async () => {
    const { faults } = Waiting.parse(await outsider.ask('/__sandbox/faults'));
    return faults.length === 0;
  });
}

export const untilGameHangs = ({ game }: TestShop) => untilHangs(game);

/** Releases the hanging calls at once. */
export async function letGo(outsider: Outsider): Promise<void> {
  await outsider.tell('/__sandbox/release', {});
}

export const letGameGo = ({ game }: TestShop) => letGo(game);

/**
 * Runs a call to a hanging sandbox service, and lets its timeout elapse when the call hangs and no
 * sooner. Also returns the timeouts of the calls.
 */
export async function giveUpOn<T>(outsider: Outsider, call: () => Promise<T>) {
  const patience = new AbortController();
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => patience.signal);
  try {
    const calling = call();
    await untilHangs(outsider);
    patience.abort(new DOMException('It took too long.', 'TimeoutError'));
    const result = await calling;
    return { result, limitsMs: timeout.mock.calls.map(([ms]) => ms) };
  } finally {
    timeout.mockRestore();
  }
}
