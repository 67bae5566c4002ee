import type {
  Assertion,
  CreationOptions,
  Registration,
  RequestOptions,
} from '@pointgate/contract/passkeys.ts';
import { currentEnvironment } from '../session/environment.ts';

// What the device does. The library is fetched when a player wants it, and not with the page.
const library = () => import('@simplewebauthn/browser');

/** Pages inside other apps have no passkeys, or show those of the app. */
export function arePasskeysOffered(): boolean {
  // Asked as the library asks it, which would have to be there first.
  const isSupported = typeof globalThis.PublicKeyCredential === 'function';
  return isSupported && currentEnvironment().host === 'browser';
}

/** Has the device make a passkey. Rejects when the player changes their mind. */
export async function makePasskey(options: CreationOptions): Promise<Registration> {
  const { startRegistration } = await library();
  const { id, response } = await startRegistration({ optionsJSON: options });
  const { clientDataJSON, attestationObject, transports = [] } = response;
  return { id, clientDataJSON, attestationObject, transports };
}

/** Has the device prove that it holds a passkey. Rejects when the player changes their mind. */
export async function showPasskey(options: RequestOptions): Promise<Assertion> {
  const { startAuthentication } = await library();
  const { id, response } = await startAuthentication({ optionsJSON: options });
  const { clientDataJSON, authenticatorData, signature, userHandle = null } = response;
  return { id, clientDataJSON, authenticatorData, signature, userHandle };
}
