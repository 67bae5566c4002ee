import { System } from '@pointgate/contract/names.ts';
import { useSearchParams } from 'react-router';
import { useSiteConfig } from '../config/site-config.tsx';
import { currentEnvironment } from './environment.ts';
import { keepText, readText } from './kept.ts';

const storageKey = 'pointgate.system';

/** The name of the parameter that says which system is topped up. */
export const systemParameter = 'system';

/**
 * The system that is topped up for. On a platform the player chooses it: what the address says, what was
 * chosen last, or the phone itself. A site of one game knows only the phone. A desktop counts as Android.
 */
export function useSystem(): System {
  const { domainType } = useSiteConfig();
  const [query] = useSearchParams();
  if (domainType === 0) return systemOfPhone();
  return (
    known(query.get(systemParameter)) ??
    known(readText('localStorage', storageKey)) ??
    systemOfPhone()
  );
}

/** Keeps the player's choice for the next visit. */
export function rememberSystem(system: System): void {
  keepText('localStorage', storageKey, system);
}

function systemOfPhone(): System {
  return currentEnvironment().system === 'ios' ? 'ios' : 'android';
}

/** Anything can stand in an address. */
function known(text: string | null): System | undefined {
  return System.options.find((system) => system === text);
}
