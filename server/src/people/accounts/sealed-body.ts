import { isStorableText } from '@pointgate/contract/storable-text.ts';
import { errors, importJWK, type JWK, jwtDecrypt } from 'jose';
import { z } from 'zod';
import { AppError } from '../../platform/errors.ts';

/** A private P-256 key; `kid` identifies it while two are live during a rotation. */
export interface SealingKey {
  kty: 'EC';
  crv: 'P-256';
  x: string;
  y: string;
  d: string;
  kid: string;
}

/** The content of an encrypted `{data}`. The caller must still use up `jti`. */
interface OpenedBody {
  jti: string;
  payload: Record<string, unknown>;
}

export const sealedBodySecondsMax = 5 * 60;
const clockToleranceSeconds = 30;

const Claims = z.looseObject({ jti: z.uuid(), iat: z.number(), aud: z.string() });

export interface SealedBodies {
  publicKeys(): Pick<SealingKey, 'kty' | 'crv' | 'x' | 'y' | 'kid'>[];
  /**
   * Decrypts a body that was sealed for this call in the last five minutes. Every failure is
   * refused alike, so that callers do not learn which check failed.
   */
  open(data: string, path: string): Promise<OpenedBody>;
}

export async function openSealedBodies(keys: readonly SealingKey[]): Promise<SealedBodies> {
  const byKid = new Map(
    await Promise.all(
      keys.map(
        async (key) => [key.kid, await importJWK({ ...key } satisfies JWK, 'ECDH-ES')] as const,
      ),
    ),
  );
  return {
    publicKeys: () => keys.map(({ kty, crv, x, y, kid }) => ({ kty, crv, x, y, kid })),
    open: async (data, path) => {
      try {
        const { payload } = await jwtDecrypt(
          data,
          ({ kid, zip }) => {
            const key = kid === undefined ? undefined : byKid.get(kid);
            // Refuses compression bombs; our portal never compresses.
            if (key === undefined || zip !== undefined) throw new errors.JWEDecryptionFailed();
            return key;
          },
          {
            audience: path,
            maxTokenAge: sealedBodySecondsMax,
            clockTolerance: clockToleranceSeconds,
            keyManagementAlgorithms: ['ECDH-ES'],
            contentEncryptionAlgorithms: ['A256GCM'],
          },
        );
        const { jti, iat: _iat, aud: _aud, ...rest } = Claims.parse(payload);
        // The check for storable text that every plain body gets.
        if (!isStorableText(rest)) throw new AppError('InvalidParams');
        return { jti, payload: rest };
      } catch (error) {
        if (error instanceof errors.JOSEError || error instanceof z.ZodError) {
          throw new AppError('InvalidParams');
        }
        throw error;
      }
    },
  };
}
