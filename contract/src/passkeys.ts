import * as z from 'zod/mini';
import { SignedIn } from './accounts.ts';
import { endpoint } from './endpoint.ts';

// What a browser and an authenticator say to each other is WebAuthn's. Of what a browser answers the
// portal sends only the fields below: the rest is for extensions that nobody asked for, and a field
// that a browser invents tomorrow must not be able to refuse a player.

/** So long a session counts as stepped up, and as new. */
export const stepUpMinutes = 10;

/** So many passkeys an account may have on a site. */
export const passkeysMax = 10;

const base64url = (lengthMax: number) =>
  z.string().check(z.regex(/^[\w-]+$/), z.maxLength(lengthMax));

/** Chosen by the authenticator; at most 1023 bytes. */
const CredentialId = base64url(1364);
const ClientData = base64url(4096);

/** What the player calls a passkey. */
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

/** WebAuthn's `PublicKeyCredentialCreationOptionsJSON`, for `startRegistration` as it is. */
const CreationOptions = z.strictObject({
  challenge: z.string(),
  rp: z.strictObject({ id: z.string(), name: z.string() }),
  user: z.strictObject({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.strictObject({ type: z.literal('public-key'), alg: z.int() })),
  timeout: z.int(),
  attestation: z.literal('none'),
  /** Those the player has: a device that holds one makes no second. */
  excludeCredentials: z.array(Descriptor),
  authenticatorSelection: z.strictObject({
    residentKey: z.literal('required'),
    requireResidentKey: z.literal(true),
    userVerification: z.literal('required'),
  }),
});
export type CreationOptions = z.output<typeof CreationOptions>;

/** WebAuthn's `PublicKeyCredentialRequestOptionsJSON`, for `startAuthentication` as it is. */
const RequestOptions = z.strictObject({
  challenge: z.string(),
  rpId: z.string(),
  timeout: z.int(),
  /** Empty at sign-in: the device shows what it has, and the shop says nothing of who exists. */
  allowCredentials: z.array(Descriptor),
  userVerification: z.literal('required'),
});
export type RequestOptions = z.output<typeof RequestOptions>;

/** Of what `startRegistration` answers: its `id`, and three fields of its `response`. */
const Registration = z.strictObject({
  id: CredentialId,
  clientDataJSON: ClientData,
  attestationObject: base64url(16_384),
  transports: z.array(z.string().check(z.maxLength(32))).check(z.maxLength(10)),
});
export type Registration = z.output<typeof Registration>;

/** Of what `startAuthentication` answers: its `id`, and the four fields of its `response`. */
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
