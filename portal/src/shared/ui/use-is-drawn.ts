import { startTransition, useEffect, useState } from 'react';

/**
 * Whether the component has rendered once. A long page first renders its visible part and the rest
 * right after: rendered at once, it would block touches and scrolling on a phone.
 */
export function useIsDrawn(): boolean {
  const [isDrawn, setIsDrawn] = useState(false);
  useEffect(() => startTransition(() => setIsDrawn(true)), []);
  return isDrawn;
}
