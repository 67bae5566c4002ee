import { eventually, type TestShop } from './shop.ts';

// A fault `hang` without a time holds its caller until it is let go, however slow the machine is.

/** The game has taken every fault it was given: whoever was to hang, hangs now. */
export async function untilGameHangs({ game }: TestShop): Promise<void> {
  await eventually(async () => {
    const page = await (await fetch(`${game.url}/__sandbox`)).text();
    return page.includes('Faults waiting</dt><dd>0<');
  });
}

/** What hangs at the game goes on at once. */
export async function letGameGo({ game }: TestShop): Promise<void> {
  await game.tell('/__sandbox/release', {});
}
