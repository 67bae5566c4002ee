/**
 * Solves the proof-of-work challenge of the server, which is cheap for one player but expensive for
 * mass requests. A subset of the algorithm of `altcha-lib`. WebCrypto runs on another thread, so
 * the page stays responsive. Loaded on demand, because most players never need it.
 */
export async function solveHumanProof(challenge: Challenge): Promise<string> {
  const { nonce, salt, cost, keyLength, keyPrefix, algorithm } = challenge.parameters;
  const hash = /^PBKDF2\/(SHA-(?:256|384|512))$/.exec(algorithm)?.[1];
  if (hash === undefined) throw new Error(`Unsupported proof-of-work algorithm: ${algorithm}.`);

  const started = performance.now();
  const password = new Uint8Array([...bytesOf(nonce), 0, 0, 0, 0]);
  const counterPart = new DataView(password.buffer, password.length - 4);
  const options = { name: 'PBKDF2', salt: bytesOf(salt), iterations: cost, hash };
  for (let counter = 0; counter <= countersMax; counter += 1) {
    counterPart.setUint32(0, counter);
    const key = await crypto.subtle.importKey('raw', password, 'PBKDF2', false, ['deriveBits']);
    const bits = await crypto.subtle.deriveBits(options, key, keyLength * 8);
    const derivedKey = hexOf(new Uint8Array(bits));
    if (!derivedKey.startsWith(keyPrefix.toLowerCase())) continue;
    const solution = { counter, derivedKey, time: Math.round(performance.now() - started) };
    return btoa(JSON.stringify({ challenge, solution }));
  }
  throw new Error('The proof-of-work challenge has no solution within the limit.');
}

// Far beyond any real challenge; ends the search for an unsolvable one.
const countersMax = 1_000_000;

interface Challenge {
  parameters: {
    algorithm: string;
    nonce: string;
    salt: string;
    cost: number;
    keyLength: number;
    keyPrefix: string;
  };
}

function bytesOf(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
