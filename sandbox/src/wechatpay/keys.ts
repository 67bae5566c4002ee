import { createCipheriv, type KeyObject, randomBytes } from 'node:crypto';

/** A key with the id by which the other side selects it. */
export type NamedKey = { serial: string; key: KeyObject };

/** The lines that a signature covers; each ends with a line feed, including the last. */
export function lines(...parts: (string | number)[]): string {
  return parts.map((part) => `${part}\n`).join('');
}

/** The encrypted resource of a notification; the GCM tag is appended to the ciphertext. */
export function encrypted(input: { plain: string; key: string; about: string }) {
  const nonce = randomBytes(6).toString('hex');
  const cipher = createCipheriv('aes-256-gcm', Buffer.from(input.key), Buffer.from(nonce));
  cipher.setAAD(Buffer.from(input.about));
  const ciphertext = Buffer.concat([
    cipher.update(input.plain, 'utf8'),
    cipher.final(),
    cipher.getAuthTag(),
  ]).toString('base64');
  return {
    original_type: input.about,
    algorithm: 'AEAD_AES_256_GCM',
    ciphertext,
    associated_data: input.about,
    nonce,
  };
}
