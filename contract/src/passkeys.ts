import * as z from 'zod/mini';
import { SignedIn } from './accounts.ts';
import { endpoint } from './endpoint.ts';

// The data between browser and authenticator is defined by WebAuthn. Of the browser's response the
// portal sends only the fields below: others belong to extensions that are not used, and unknown
// fields of future browsers must not cause a refusal.

/** How long a session counts as stepped up or as new. */
export const stepUpMinutes = 10;

/** The maximum number of passkeys of an account on a site. */
export const passkeysMax = 10;

const base64url = (lengthMax: number) =>
  z.string().check(z.regex(/^[\w-]+$/), z.maxLength(lengthMax));

/** Chosen by the authenticator; at most 1023 bytes. */
const CredentialId = base64url(1364);
const ClientData = base64url(4096);

/** The name that the player gave to a passkey. */
export const PasskeyName = z
  .string()
  .check(z.trim(), z.minLength(1), z.maxLength(60), z.regex(/^\P{C}+$/u));

const Passkey = z.strictObject({
  passkeyId: z.uuid(),
  name: z.string(),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.nullable(z.iso.datetime()),
});
export type Passkey = z.output<typeof Passkey>;

const Descriptor = z.strictObject({
  id: z.string(),
  type: z.literal('public-key'),
  transports: z.array(z.string()),
});

/**
 * WebAuthn's `PublicKeyCredentialCreationOptionsJSON`, passed unchanged to `startRegistration`.
 */
const CreationOptions = z.strictObject({
  challenge: z.string(),
  rp: z.strictObject({ id: z.string(), name: z.string() }),
  user: z.strictObject({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.strictObject({ type: z.literal('public-key'), alg: z.int() })),
  timeout: z.int(),
  attestation: z.literal('none'),
  /** The player's passkeys: a device that holds one of them creates no second. */
  excludeCredentials: z.array(Descriptor),
  authenticatorSelection: z.strictObject({
    residentKey: z.literal('required'),
    requireResidentKey: z.literal(true),
    userVerification: z.literal('required'),
  }),
});
export type CreationOptions = z.output<typeof CreationOptions>;

/**
 * WebAuthn's `PublicKeyCredentialRequestOptionsJSON`, passed unchanged to `startAuthentication`.
 */
const RequestOptions = z.strictObject({
  challenge: z.string(),
  rpId: z.string(),
  timeout: z.int(),
  /**
   * Empty at sign-in: the device offers its passkeys, and the shop does not reveal which accounts
   * exist.
   */
  allowCredentials: z.array(Descriptor),
  userVerification: z.literal('required'),
});
export type RequestOptions = z.output<typeof RequestOptions>;

/** The result of `startRegistration`: its `id`, and three fields of its `response`. */
const Registration = z.strictObject({
  id: CredentialId,
  clientDataJSON: ClientData,
  attestationObject: base64url(16_384),
  transports: z.array(z.string().check(z.maxLength(32))).check(z.maxLength(10)),
});
export type Registration = z.output<typeof Registration>;

/** The result of `startAuthentication`: its `id`, and the four fields of its `response`. */
const Assertion = z.strictObject({
  id: CredentialId,
  clientDataJSON: ClientData,
  authenticatorData: base64url(4096),
  signature: base64url(8192),
  userHandle: z.nullable(base64url(86)),
});
export type Assertion = z.output<typeof Assertion>;

export const startPasskey = endpoint({
  method: 'POST',
  path: '/api/user/passkey/register/start',
  summary:
    'Begins a new passkey. The first one needs a session of the last ten minutes, any other a step-up',
  access: 'player',
  body: z.strictObject({}),
  reply: z.strictObject({ options: CreationOptions }),
  refusals: ['PasskeyRefused', 'StepUpNeeded'],
});

export const finishPasskey = endpoint({
  method: 'POST',
  path: '/api/user/passkey/register/finish',
  summary: 'Keeps the passkey that the device has made',
  access: 'player',
  body: z.strictObject({ response: Registration, name: PasskeyName }),
  reply: Passkey,
  refusals: ['PasskeyRefused', 'StepUpNeeded'],
});

export const listPasskeys = endpoint({
  method: 'POST',
  path: '/api/user/passkey/list',
  summary: "The player's passkeys on this site, the oldest first",
  access: 'player',
  body: z.strictObject({}),
  reply: z.strictObject({ passkeys: z.array(Passkey) }),
  refusals: [],
});

export const removePasskey = endpoint({
  method: 'POST',
  path: '/api/user/passkey/remove',
  summary: 'Removes a passkey, after a step-up. One that is not there is gone already',
  access: 'player',
  body: z.strictObject({ passkeyId: z.uuid() }),
  reply: z.strictObject({}),
  refusals: ['StepUpNeeded'],
});

export const startPasskeyLogin = endpoint({
  method: 'POST',
  path: '/api/user/passkey/login/start',
  summary: 'Begins a sign-in with a passkey',
  access: 'public',
  body: z.strictObject({}),
  reply: z.strictObject({ options: RequestOptions }),
  refusals: ['ForeignOrigin'],
});

export const finishPasskeyLogin = endpoint({
  method: 'POST',
  path: '/api/user/passkey/login/finish',
  summary: 'Signs a player in; an older session of the same account on this site ends',
  access: 'public',
  body: z.strictObject({ response: Assertion }),
  reply: SignedIn,
  refusals: ['AccountSuspended', 'ForeignOrigin', 'PasskeyRefused', 'SignInThrottled'],
});

export const startStepUp = endpoint({
  method: 'POST',
  path: '/api/user/step-up/start',
  summary: 'Begins a step-up: the player shows again who they are, with a passkey of theirs',
  access: 'player',
  body: z.strictObject({}),
  reply: z.strictObject({ options: RequestOptions }),
  refusals: ['PasskeyRefused'],
});

export const finishStepUp = endpoint({
  method: 'POST',
  path: '/api/user/step-up/finish',
  summary: 'The session counts as stepped up for ten minutes',
  access: 'player',
  body: z.strictObject({ response: Assertion }),
  reply: z.strictObject({}),
  refusals: ['PasskeyRefused'],
});
