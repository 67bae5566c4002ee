import { type ComponentType, lazy, type ReactNode, Suspense } from 'react';

/**
 * A part that nobody sees at first: what a click opens. It is fetched once the page is there and the
 * browser is idle, so that it opens at once all the same.
 */
export function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): (props: Props) => ReactNode {
  const Part = lazy(async () => ({ default: await load() }));
  // What does not come now is asked for again by the click, which can say that it failed.
  whenIdle(() => void load().catch(() => {}));
  return (props) => (
    <Suspense fallback={null}>
      <Part {...props} />
    </Suspense>
  );
}

function whenIdle(act: () => void): void {
  // Safari has no such call.
  const wait = () => ('requestIdleCallback' in window ? requestIdleCallback(act) : setTimeout(act));
  if (document.readyState === 'complete') wait();
  else window.addEventListener('load', wait, { once: true });
}
