/**
 * The first Intl formatter makes a browser load its locale data: 25 to 40 ms on a desktop, in the
 * middle of rendering. All threads of a page share the result, so a worker creates one first, while
 * the page is busy with its scripts.
 */
export function warmIntl(): void {
  new Worker(new URL('./warm-intl-worker.ts', import.meta.url), { type: 'module' });
}
