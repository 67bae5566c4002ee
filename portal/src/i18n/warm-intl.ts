/**
 * The first formatter of numbers or times in a browser makes it look through the data of every language it
 * knows: 25 to 40 ms on a desktop, in the middle of drawing. All that run in the page share the result, so
 * a worker asks first, while the page is busy with its scripts.
 */
export function warmIntl(): void {
  new Worker(new URL('./warm-intl-worker.ts', import.meta.url), { type: 'module' });
}
