import type {
  Assertion,
  CreationOptions,
  Registration,
  RequestOptions,
} from '@pointgate/contract/passkeys.ts';
import { verifyAuthenticationResponse, verifyRegistrationResponse } from '@simplewebauthn/server';
import { decodeAttestationObject } from '@simplewebauthn/server/helpers';
import { z } from 'zod';

// WebAuthn options and verification, without database and network.

export const challengeMinutes = 5;
const timeoutMs = challengeMinutes * 60_000;

/** EdDSA, ES256 and RS256, which current authenticators support. */
const algorithms = [-8, -7, -257];

/** The relying party of a site, derived from its configured address and never from the request. */
interface RelyingParty {
  rpId: string;
  origin: string;
}

export function relyingPartyOf({ portalUrl }: { portalUrl: string }): RelyingParty {
  const { hostname, origin } = new URL(portalUrl);
  return { rpId: hostname, origin };
}

/** The parts of a passkey that a browser needs. */
interface Known {
  credentialId: Buffer;
  transports: string[];
}

export function creationOptions(input: {
  challenge: string;
  rpId: string;
  siteTitle: string;
  accountId: string;
  displayName: string;
  known: readonly Known[];
}): CreationOptions {
  return {
    challenge: input.challenge,
    rp: { id: input.rpId, name: input.siteTitle },
    user: {
      id: userHandleOf(input.accountId),
      name: input.displayName,
      displayName: input.displayName,
    },
    pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg })),
    timeout: timeoutMs,
    attestation: 'none',
    excludeCredentials: input.known.map(descriptorOf),
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    },
  };
}

export function requestOptions(input: {
  challenge: string;
  rpId: string;
  known: readonly Known[];
}): RequestOptions {
  return {
    challenge: input.challenge,
    rpId: input.rpId,
    timeout: timeoutMs,
    allowCredentials: input.known.map(descriptorOf),
    userVerification: 'required',
  };
}

/**
 * The bytes of the account id, which is no secret. A stable handle makes an authenticator replace
 * its passkey for the same account instead of adding another.
 */
function userHandleOf(accountId: string): string {
  return Buffer.from(accountId.replaceAll('-', ''), 'hex').toString('base64url');
}

const ClientData = z.object({
  challenge: z.string().regex(/^[\w-]{43}$/),
  // Refuses iframes of other sites, where the player does not see what they sign in to.
  crossOrigin: z.literal(false).optional(),
});

/**
 * The challenge that the client data claims; undefined for client data that none of our pages
 * creates.
 */
export function challengeIn(clientDataJSON: string): string | undefined {
  try {
    const text = Buffer.from(clientDataJSON, 'base64url').toString('utf8');
    return ClientData.parse(JSON.parse(text)).challenge;
  } catch {
    return undefined;
  }
}

interface NewCredential {
  credentialId: Buffer;
  publicKey: Buffer;
  counter: number;
}

/** Throws if the registration is invalid. */
export async function verifyRegistration(
  registration: Registration,
  { challenge, party }: { challenge: string; party: RelyingParty },
): Promise<NewCredential> {
  const { id, clientDataJSON, attestationObject } = registration;
  requireNoCertificates(attestationObject);
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response: { ...wrapped(id), response: { clientDataJSON, attestationObject } },
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.rpId,
    requireUserVerification: true,
    supportedAlgorithmIDs: algorithms,
  });
  if (!verified) throw new Error('the attestation is invalid');
  const { credential } = registrationInfo;
  if (credential.id !== id) throw new Error('the id differs from the credential id');
  return {
    credentialId: Buffer.from(credential.id, 'base64url'),
    publicKey: Buffer.from(credential.publicKey),
    counter: credential.counter,
  };
}

/** Throws if the assertion is invalid; answers the new signature counter. */
export async function verifyAssertion(
  assertion: Assertion,
  input: { challenge: string; party: RelyingParty; credential: NewCredential; accountId: string },
): Promise<number> {
  const { id, clientDataJSON, authenticatorData, signature, userHandle } = assertion;
  const { challenge, party, credential, accountId } = input;
  if (userHandle !== null && userHandle !== userHandleOf(accountId)) {
    throw new Error('the user handle is that of another account');
  }
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: { ...wrapped(id), response: { clientDataJSON, authenticatorData, signature } },
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.rpId,
    requireUserVerification: true,
    credential: {
      id,
      publicKey: new Uint8Array(credential.publicKey),
      counter: credential.counter,
    },
  });
  if (!verified) throw new Error('the signature is wrong');
  return authenticationInfo.newCounter;
}

/**
 * Refuses attestation certificates, which were not requested. Verifying one could fetch a URL that
 * it names, which would be server-side request forgery.
 */
function requireNoCertificates(attestationObject: string): void {
  const bytes = new Uint8Array(Buffer.from(attestationObject, 'base64url'));
  const decoded = decodeAttestationObject(bytes);
  const isSelfSigned =
    decoded.get('fmt') === 'packed' && decoded.get('attStmt').get('x5c') === undefined;
  if (decoded.get('fmt') !== 'none' && !isSelfSigned)
    throw new Error('the attestation has a certificate');
}

function wrapped(id: string) {
  return { id, rawId: id, type: 'public-key', clientExtensionResults: {} } as const;
}

function descriptorOf({ credentialId, transports }: Known) {
  return { id: credentialId.toString('base64url'), type: 'public-key', transports } as const;
}
