import type {
  Assertion,
  CreationOptions,
  Registration,
  RequestOptions,
} from '@pointgate/contract/passkeys.ts';
import { currentEnvironment } from '../../shared/browser/environment.ts';

// The WebAuthn library is loaded on demand, not with the page.
const library = () => import('@simplewebauthn/browser');

/** In-app browsers have no passkeys, or only those of the app. */
export function arePasskeysOffered(): boolean {
  // The same check as in the library, which is not loaded yet.
  const isSupported = typeof globalThis.PublicKeyCredential === 'function';
  return isSupported && currentEnvironment().host === 'browser';
}

/** Creates a passkey on the device. Rejects when the player cancels. */
export async function makePasskey(options: CreationOptions): Promise<Registration> {
  const { startRegistration } = await library();
  const { id, response } = await startRegistration({ optionsJSON: options });
  const { clientDataJSON, attestationObject, transports = [] } = response;
  return { id, clientDataJSON, attestationObject, transports };
}

/** Asserts a passkey of the device. Rejects when the player cancels. */
export async function showPasskey(options: RequestOptions): Promise<Assertion> {
  const { startAuthentication } = await library();
  const { id, response } = await startAuthentication({ optionsJSON: options });
  const { clientDataJSON, authenticatorData, signature, userHandle = null } = response;
  return { id, clientDataJSON, authenticatorData, signature, userHandle };
}
