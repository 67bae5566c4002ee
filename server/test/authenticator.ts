import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import type {
  Assertion,
  CreationOptions,
  Registration,
  RequestOptions,
} from '@pointgate/contract/passkeys.ts';
import { z } from 'zod';

/** Deviations from a correct browser and authenticator. */
export interface Lies {
  origin?: string;
  rpId?: string;
  type?: string;
  challenge?: string;
  crossOrigin?: boolean;
  isVerified?: boolean;
  isPresent?: boolean;
  counter?: number;
  userHandle?: string | null;
  /** The id of an existing credential, with a new key. */
  id?: string;
  /** The attestation of the authenticator. */
  attestation?: 'none' | 'self' | 'certificate';
}

/** A browser with its authenticator: creates, stores and uses passkeys. */
export interface Authenticator {
  make(options: CreationOptions, lies?: Lies): Registration;
  /** Uses the passkey created last, if the options allow any. */
  show(options: RequestOptions, lies?: Lies): Assertion;
}

interface Held {
  id: Buffer;
  privateKey: KeyObject;
  userHandle: string;
  counter: number;
}

/** Synced passkeys have no signature counter and always report 0. */
export function openAuthenticator({
  origin,
  isCounting = true,
}: {
  origin: string;
  isCounting?: boolean;
}): Authenticator {
  const held: Held[] = [];
  const next = (passkey: Held, lies: Lies) => {
    if (isCounting) passkey.counter += 1;
    return lies.counter ?? passkey.counter;
  };
  return {
    make: (options, lies = {}) => {
      const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const id = lies.id === undefined ? randomBytes(16) : Buffer.from(lies.id, 'base64url');
      const passkey = { id, privateKey, userHandle: options.user.id, counter: 0 };
      held.push(passkey);
      const clientData = clientDataOf('webauthn.create', options.challenge, { origin, ...lies });
      const length = Buffer.alloc(2);
      length.writeUInt16BE(id.length);
      const authData = Buffer.concat([
        authDataOf(options.rp.id, { ...lies, counter: next(passkey, lies), hasKey: true }),
        Buffer.alloc(16), // no AAGUID
        length,
        id,
        coseKeyOf(publicKey),
      ]);
      const attested = attest(lies.attestation ?? 'none', { privateKey, authData, clientData });
      return {
        id: id.toString('base64url'),
        clientDataJSON: clientData.toString('base64url'),
        attestationObject: cbor({ ...attested, authData }).toString('base64url'),
        transports: ['internal'],
      };
    },
    show: (options, lies = {}) => {
      const allowed = options.allowCredentials.map(({ id }) => id);
      const passkey = held.findLast(
        ({ id }) => allowed.length === 0 || allowed.includes(id.toString('base64url')),
      );
      if (passkey === undefined) throw new Error('the authenticator has no such passkey');
      const clientData = clientDataOf('webauthn.get', options.challenge, { origin, ...lies });
      const authData = authDataOf(options.rpId, { ...lies, counter: next(passkey, lies) });
      const signature = signed(passkey.privateKey, authData, clientData);
      return {
        id: passkey.id.toString('base64url'),
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: authData.toString('base64url'),
        signature: signature.toString('base64url'),
        userHandle: lies.userHandle === undefined ? passkey.userHandle : lies.userHandle,
      };
    },
  };
}

function clientDataOf(type: string, challenge: string, lies: Lies & { origin: string }): Buffer {
  return Buffer.from(
    JSON.stringify({
      type: lies.type ?? type,
      challenge: lies.challenge ?? challenge,
      origin: lies.origin,
      crossOrigin: lies.crossOrigin ?? false,
    }),
  );
}

function authDataOf(rpId: string, options: Lies & { counter: number; hasKey?: boolean }): Buffer {
  const flags =
    (options.isPresent === false ? 0 : 0x01) |
    (options.isVerified === false ? 0 : 0x04) |
    (options.hasKey === true ? 0x40 : 0);
  const counter = Buffer.alloc(4);
  counter.writeUInt32BE(options.counter);
  return Buffer.concat([sha256(Buffer.from(options.rpId ?? rpId)), Buffer.of(flags), counter]);
}

function attest(
  kind: 'none' | 'self' | 'certificate',
  made: { privateKey: KeyObject; authData: Buffer; clientData: Buffer },
) {
  if (kind === 'none') return { fmt: 'none', attStmt: {} };
  const sig = signed(made.privateKey, made.authData, made.clientData);
  const x5c = kind === 'certificate' ? { x5c: [Buffer.from('of a maker')] } : {};
  return { fmt: 'packed', attStmt: { alg: -7, sig, ...x5c } };
}

function signed(privateKey: KeyObject, authData: Buffer, clientData: Buffer): Buffer {
  return sign('sha256', Buffer.concat([authData, sha256(clientData)]), privateKey);
}

/** A public key for ES256 in COSE format. */
function coseKeyOf(publicKey: KeyObject): Buffer {
  const { x, y } = z
    .object({ x: z.string(), y: z.string() })
    .parse(publicKey.export({ format: 'jwk' }));
  const bytes = (text: string) => Buffer.from(text, 'base64url');
  return cbor(
    new Map<Cbor, Cbor>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, bytes(x)],
      [-3, bytes(y)],
    ]),
  );
}

type Cbor = number | string | Buffer | Cbor[] | Map<Cbor, Cbor> | { [name: string]: Cbor };

/** The subset of CBOR that passkeys need. */
function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string') {
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  }
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  if (Array.isArray(value)) return Buffer.concat([head(4, value.length), ...value.map(cbor)]);
  const entries = value instanceof Map ? [...value] : Object.entries(value);
  return Buffer.concat([head(5, entries.length), ...entries.flat().map(cbor)]);
}

function head(kind: number, size: number): Buffer {
  const type = kind << 5;
  if (size < 24) return Buffer.of(type | size);
  return size < 256 ? Buffer.of(type | 24, size) : Buffer.of(type | 25, size >> 8, size & 0xff);
}

function sha256(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}
