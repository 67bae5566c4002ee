import type { ProviderMethod } from '@pointgate/contract/sign-in-providers.ts';
import { keepText, readText } from '../../shared/browser/kept.ts';
import type { OfferedSignInMethods, TypedMethod } from './methods.ts';

const lastKey = 'pointgate.last-login-method';

export type RememberedMethod = TypedMethod | ProviderMethod | 'PASSKEY';

/** The last sign-in method of this device, if it is still available. */
export function lastMethod({ typed, providers }: OfferedSignInMethods): RememberedMethod | null {
  const last = readText('localStorage', lastKey);
  const ways: RememberedMethod[] = [...typed, ...providers, 'PASSKEY'];
  return ways.find((method) => method === last) ?? null;
}

export function rememberMethod(method: RememberedMethod): void {
  keepText('localStorage', lastKey, method);
}
