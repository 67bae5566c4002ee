import { useCallback, useSyncExternalStore } from 'react';

/** The mobile layout is a product rule: 750 px and below. */
export function useIsMobile(): boolean {
  return useMediaQuery('(max-width: 750px)');
}

/** Wide enough for the order panel, which is a bottom bar in narrower windows. */
export function useHasOrderPanel(): boolean {
  return useMediaQuery('(min-width: 1101px)');
}

function useMediaQuery(query: string): boolean {
  const subscribe = useCallback(
    (onChange: () => void) => {
      const list = window.matchMedia(query);
      list.addEventListener('change', onChange);
      return () => list.removeEventListener('change', onChange);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => window.matchMedia(query).matches);
}
