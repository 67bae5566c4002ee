import { vi } from 'vitest';

/** The reaction of the player to the prompt of the device. */
type Behaviour = 'confirms' | 'cancels' | 'has one already';

const refusals = {
  cancels: 'NotAllowedError',
  'has one already': 'InvalidStateError',
} as const;

export const creationOptions = {
  challenge: 'Y2hhbGxlbmdl',
  rp: { id: 'localhost', name: 'Omni' },
  user: { id: 'dS0x', name: 'aveline', displayName: 'aveline' },
  pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
  timeout: 300_000,
  attestation: 'none',
  excludeCredentials: [],
  authenticatorSelection: {
    residentKey: 'required',
    requireResidentKey: true,
    userVerification: 'required',
  },
};

export const requestOptions = {
  challenge: 'Y2hhbGxlbmdl',
  rpId: 'localhost',
  timeout: 300_000,
  allowCredentials: [],
  userVerification: 'required',
};

/** The responses of `givenPasskeyDevice` as sent to the server. */
export const madePasskey = {
  id: 'cred-1',
  clientDataJSON: 'Y2xpZW50',
  attestationObject: 'YXR0ZXN0',
  transports: ['internal'],
};
export const shownPasskey = {
  id: 'cred-1',
  clientDataJSON: 'Y2xpZW50',
  authenticatorData: 'YXV0aA',
  signature: 'c2lnbg',
  userHandle: 'dS0x',
};

/** Stubs a browser with passkeys. Returns its WebAuthn calls in order. */
export function givenPasskeyDevice(behaviour: Behaviour = 'confirms'): ('create' | 'get')[] {
  const asked: ('create' | 'get')[] = [];
  const answer = (kind: 'create' | 'get', response: object) => async () => {
    asked.push(kind);
    if (behaviour !== 'confirms') throw new DOMException('no', refusals[behaviour]);
    return {
      id: 'cred-1',
      rawId: bytes('cred-1'),
      type: 'public-key',
      authenticatorAttachment: 'platform',
      getClientExtensionResults: () => ({}),
      response,
    };
  };
  vi.stubGlobal('PublicKeyCredential', class {});
  Object.defineProperty(navigator, 'credentials', {
    configurable: true,
    value: {
      create: answer('create', {
        clientDataJSON: bytes('client'),
        attestationObject: bytes('attest'),
        getTransports: () => ['internal'],
      }),
      get: answer('get', {
        clientDataJSON: bytes('client'),
        authenticatorData: bytes('auth'),
        signature: bytes('sign'),
        userHandle: bytes('u-1'),
      }),
    },
  });
  return asked;
}

function bytes(text: string): ArrayBuffer {
  return new TextEncoder().encode(text).buffer;
}
