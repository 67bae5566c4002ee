/** WebCrypto is available only on secure origins: TLS or localhost. */
export function canSign(): boolean {
  return globalThis.crypto?.subtle !== undefined;
}

/** HMAC-SHA256 of a text; key and signature in hexadecimal digits. */
export async function sign(text: string, key: string): Promise<string> {
  const hmac = { name: 'HMAC', hash: 'SHA-256' };
  const imported = await crypto.subtle.importKey('raw', fromHex(key), hmac, false, ['sign']);
  const signature = await crypto.subtle.sign('HMAC', imported, new TextEncoder().encode(text));
  return [...new Uint8Array(signature)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

function fromHex(text: string): Uint8Array<ArrayBuffer> {
  const bytes = text.match(/../g) ?? [];
  return Uint8Array.from(bytes, (digits) => Number.parseInt(digits, 16));
}
