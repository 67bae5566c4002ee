import { lazy, Suspense } from 'react';

const Tracking = lazy(async () => {
  await firstPaint();
  const loaded = await import('./tracking.tsx').catch(() => null);
  return { default: loaded?.Tracking ?? Nothing };
});

/** Comes after the first page, and holds up nothing. If it does not come, all goes on without it. */
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
