import { useLayoutEffect } from 'react';
import { useLocation, useNavigationType } from 'react-router';

/** Scrolls a new page to its top. The browser restores the position on back navigation. */
export function useScrollToTop(): void {
  const { pathname } = useLocation();
  const isBack = useNavigationType() === 'POP';
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs only on a change of the page.
  useLayoutEffect(() => {
    if (!isBack) document.documentElement.scrollTop = 0;
  }, [pathname]);
}
