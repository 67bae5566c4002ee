import { type ComponentType, lazy, type ReactNode, Suspense } from 'react';

/**
 * A component that is shown only after a click. It is preloaded when the browser is idle, so that
 * it opens without delay.
 */
export function lazyComponent<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): (props: Props) => ReactNode {
  const Part = lazy(async () => ({ default: await load() }));
  // A failed preload is ignored: the render loads again and can show the error.
  whenIdle(() => void load().catch(() => {}));
  return (props) => (
    <Suspense fallback={null}>
      <Part {...props} />
    </Suspense>
  );
}

function whenIdle(act: () => void): void {
  // Safari has no requestIdleCallback.
  const wait = () => ('requestIdleCallback' in window ? requestIdleCallback(act) : setTimeout(act));
  if (document.readyState === 'complete') wait();
  else window.addEventListener('load', wait, { once: true });
}
