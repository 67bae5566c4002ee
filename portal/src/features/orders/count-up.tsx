import { useEffect, useState } from 'react';

const durationMs = 900;
const steps = 1000;

interface CountUpProps {
  to: bigint;
  inWords: (amount: bigint) => string;
}

/** Counts up to a number once. Screen readers and players with reduced motion get it at once. */
export function CountUp({ to, inWords }: CountUpProps) {
  const [step, setStep] = useState(() => (wantsMotion() ? 0 : steps));

  useEffect(() => {
    if (!wantsMotion()) return;
    const startedAt = performance.now();
    let frame = requestAnimationFrame(function next(now) {
      const share = Math.min(1, Math.max(0, (now - startedAt) / durationMs));
      setStep(Math.round(steps * (1 - (1 - share) ** 3)));
      if (share < 1) frame = requestAnimationFrame(next);
    });
    return () => cancelAnimationFrame(frame);
  }, []);

  return (
    <>
      <span className="visually-hidden">{inWords(to)}</span>
      <span aria-hidden="true">{inWords((to * BigInt(step)) / BigInt(steps))}</span>
    </>
  );
}

function wantsMotion(): boolean {
  return window.matchMedia('(prefers-reduced-motion: no-preference)').matches;
}
