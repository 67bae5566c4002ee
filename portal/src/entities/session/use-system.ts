import { domainTypes } from '@pointgate/contract/named-numbers.ts';
import { System } from '@pointgate/contract/names.ts';
import { useSearchParams } from 'react-router';
import { currentEnvironment } from '../../shared/browser/environment.ts';
import { keepText, readText } from '../../shared/browser/kept.ts';
import { useSiteConfig } from '../../shared/config/site-config.tsx';

const storageKey = 'pointgate.system';

/** The name of the query parameter for the system. */
export const systemParameter = 'system';

/**
 * The system of the top-up. On a game hub it is taken from the address, the last choice, or the
 * device. A single-game site uses the device only. A desktop counts as Android.
 */
export function useSystem(): System {
  const { domainType } = useSiteConfig();
  const [query] = useSearchParams();
  if (domainType === domainTypes.game) return systemOfPhone();
  return (
    known(query.get(systemParameter)) ??
    known(readText('localStorage', storageKey)) ??
    systemOfPhone()
  );
}

/** Stores the chosen system for the next visit. */
export function rememberSystem(system: System): void {
  keepText('localStorage', storageKey, system);
}

function systemOfPhone(): System {
  return currentEnvironment().system === 'ios' ? 'ios' : 'android';
}

/** `undefined` for an unknown value, such as one from the address. */
function known(text: string | null): System | undefined {
  return System.options.find((system) => system === text);
}
