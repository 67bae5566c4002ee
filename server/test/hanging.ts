import { vi } from 'vitest';
import { z } from 'zod';
import { eventually, type TestShop } from './shop.ts';
import type { Outsider } from './world.ts';

// A fault `hang` without a time holds its caller until it is let go, however slow the machine is.

const Waiting = z.object({ faults: z.array(z.unknown()) });

/** They have taken every fault they were given: whoever was to hang, hangs now. */
export async function untilHangs(outsider: Outsider): Promise<void> {
  await eventually(async () => {
    const { faults } = Waiting.parse(await outsider.ask('/__sandbox/faults'));
    return faults.length === 0;
  });
}

export const untilGameHangs = ({ game }: TestShop) => untilHangs(game);

/** What hangs there goes on at once. */
export async function letGo(outsider: Outsider): Promise<void> {
  await outsider.tell('/__sandbox/release', {});
}

export const letGameGo = ({ game }: TestShop) => letGo(game);

/**
 * What comes of calling somebody who hangs: the time for an answer is over when they do, and no
 * sooner. Also for how long the calls would have waited.
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
