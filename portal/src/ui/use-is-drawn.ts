import { startTransition, useEffect, useState } from 'react';

/**
 * Whether the component has been drawn once. A long page draws what is seen first, and the rest right after
 * it: in one go it would keep a phone from being touched or scrolled.
 */
export function useIsDrawn(): boolean {
  const [isDrawn, setIsDrawn] = useState(false);
  useEffect(() => startTransition(() => setIsDrawn(true)), []);
  return isDrawn;
}
