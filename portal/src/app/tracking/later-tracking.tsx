import { lazy, Suspense } from 'react';

const Tracking = lazy(async () => {
  await firstPaint();
  const loaded = await import('./tracking.tsx').catch(() => null);
  return { default: loaded?.Tracking ?? Nothing };
});

/** Loads tracking after the first page without blocking it. A failed load is ignored. */
export function LaterTracking() {
  return (
    <Suspense>
      <Tracking />
    </Suspense>
  );
}

function firstPaint(): Promise<void> {
  return new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
}

function Nothing() {
  return null;
}
