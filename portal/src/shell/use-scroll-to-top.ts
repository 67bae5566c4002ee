import { useLayoutEffect } from 'react';
import { useLocation, useNavigationType } from 'react-router';

/** A new page begins at its top. The way back leads to where one was, which the browser remembers. */
export function useScrollToTop(): void {
  const { pathname } = useLocation();
  const isBack = useNavigationType() === 'POP';
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another page is a reason.
  useLayoutEffect(() => {
    if (!isBack) document.documentElement.scrollTop = 0;
  }, [pathname]);
}
