import type {
  Assertion,
  CreationOptions,
  Registration,
  RequestOptions,
} from '@pointgate/contract/passkeys.ts';
import { verifyAuthenticationResponse, verifyRegistrationResponse } from '@simplewebauthn/server';
import { decodeAttestationObject } from '@simplewebauthn/server/helpers';
import { z } from 'zod';

// What browsers and devices say to each other, and whether it holds. No database, no network.

export const challengeMinutes = 5;
const timeoutMs = challengeMinutes * 60_000;

/** EdDSA, ES256 and RS256: what devices of today sign with. */
const algorithms = [-8, -7, -257];

/** The site as WebAuthn sees it: both follow from its own address, never from the request. */
interface RelyingParty {
  rpId: string;
  origin: string;
}

export function relyingPartyOf({ portalUrl }: { portalUrl: string }): RelyingParty {
  const { hostname, origin } = new URL(portalUrl);
  return { rpId: hostname, origin };
}

/** A passkey, as far as a browser has to know of it. */
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
 * The bytes of the account's id. It is no secret, every session shows it to its player; and a device
 * that is asked twice for the same account replaces its passkey instead of piling them up.
 */
function userHandleOf(accountId: string): string {
  return Buffer.from(accountId.replaceAll('-', ''), 'hex').toString('base64url');
}

const ClientData = z.object({
  challenge: z.string().regex(/^[\w-]{43}$/),
  // Inside a page of somebody else's the player does not see whom they sign in to.
  crossOrigin: z.literal(false).optional(),
});

/** Which challenge was signed, or says it was. Undefined for what no page of ours has made. */
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

/** Throws for whatever is wrong with it. */
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
  if (!verified) throw new Error('the attestation does not hold');
  const { credential } = registrationInfo;
  if (credential.id !== id) throw new Error('the id is not that of the credential');
  return {
    credentialId: Buffer.from(credential.id, 'base64url'),
    publicKey: Buffer.from(credential.publicKey),
    counter: credential.counter,
  };
}

/** Throws for whatever is wrong with it; answers the device's new counter. */
export async function verifyAssertion(
  assertion: Assertion,
  input: { challenge: string; party: RelyingParty; credential: NewCredential; accountId: string },
): Promise<number> {
  const { id, clientDataJSON, authenticatorData, signature, userHandle } = assertion;
  const { challenge, party, credential, accountId } = input;
  if (userHandle !== null && userHandle !== userHandleOf(accountId)) {
    throw new Error('the device says that it is the passkey of somebody else');
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
 * Nobody asked for certificates, and browsers leave them out. To look at one would be to fetch what
 * it names: an address of the sender's choice, called from inside.
 */
function requireNoCertificates(attestationObject: string): void {
  const bytes = new Uint8Array(Buffer.from(attestationObject, 'base64url'));
  const decoded = decodeAttestationObject(bytes);
  const isSelfSigned =
    decoded.get('fmt') === 'packed' && decoded.get('attStmt').get('x5c') === undefined;
  if (decoded.get('fmt') !== 'none' && !isSelfSigned) throw new Error('an attestation came along');
}

function wrapped(id: string) {
  return { id, rawId: id, type: 'public-key', clientExtensionResults: {} } as const;
}

function descriptorOf({ credentialId, transports }: Known) {
  return { id: credentialId.toString('base64url'), type: 'public-key', transports } as const;
}
