import { createHmac, randomInt } from 'node:crypto';
import type { humanChallenge } from '@pointgate/contract/codes.ts';
import type { ReplyOf } from '@pointgate/contract/endpoint.ts';
import { createChallenge, verifySolution } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { z } from 'zod';

type Challenge = ReplyOf<typeof humanChallenge>;

/** A verified solution that is not used up yet: verification can be repeated. */
interface CheckedProof {
  nonce: string;
  expiresAt: Date;
}

export interface HumanProofs {
  challenge(): Promise<Challenge>;
  /** Undefined for an invalid proof. */
  check(proof: string): Promise<CheckedProof | undefined>;
}

/** About 500 derivations of 5000 rounds: a second on a phone, hours for thousands of proofs. */
const usualEffort = { cost: 5_000, counterMin: 200, counterMax: 800 };
const challengeSeconds = 10 * 60;
const purpose = 'human';

const Proof = z.strictObject({
  challenge: z.strictObject({
    parameters: z.strictObject({
      algorithm: z.literal('PBKDF2/SHA-256'),
      nonce: z.string(),
      salt: z.string(),
      cost: z.number(),
      keyLength: z.number(),
      keyPrefix: z.string(),
      keySignature: z.string(),
      expiresAt: z.number(),
      data: z.strictObject({ purpose: z.literal(purpose) }),
    }),
    signature: z.string(),
  }),
  solution: z.strictObject({
    counter: z.number(),
    derivedKey: z.string(),
    time: z.number().optional(),
  }),
});

export function openHumanProofs(options: {
  secret: string;
  now: () => number;
  effort?: typeof usualEffort;
}): HumanProofs {
  const { now, effort = usualEffort } = options;
  const secretFor = (use: string) =>
    createHmac('sha256', options.secret).update(`human proof|${use}`).digest('hex');
  const secrets = {
    hmacSignatureSecret: secretFor('challenge'),
    hmacKeySignatureSecret: secretFor('solution'),
  };
  return {
    challenge: async () => {
      const expiresAt = Math.floor(now() / 1000) + challengeSeconds;
      const { parameters, signature = '' } = await createChallenge({
        ...secrets,
        algorithm: 'PBKDF2/SHA-256',
        cost: effort.cost,
        counter: randomInt(effort.counterMin, effort.counterMax),
        expiresAt,
        data: { purpose },
        deriveKey,
      });
      const { nonce, salt, cost, keyLength, keyPrefix, keySignature = '' } = parameters;
      return {
        parameters: {
          algorithm: 'PBKDF2/SHA-256',
          nonce,
          salt,
          cost,
          keyLength,
          keyPrefix,
          keySignature,
          expiresAt,
          data: { purpose },
        },
        signature,
      };
    },
    check: async (text) => {
      const proof = Proof.safeParse(jsonOf(text));
      if (!proof.success) return undefined;
      const { challenge, solution } = proof.data;
      const { nonce, expiresAt } = challenge.parameters;
      if (expiresAt * 1000 <= now()) return undefined;
      const { verified } = await verifySolution({
        ...secrets,
        challenge,
        solution: { counter: solution.counter, derivedKey: solution.derivedKey },
        deriveKey,
      });
      return verified ? { nonce, expiresAt: new Date(expiresAt * 1000) } : undefined;
    },
  };
}

function jsonOf(base64: string): unknown {
  try {
    return JSON.parse(Buffer.from(base64, 'base64').toString('utf8'));
  } catch {
    return undefined;
  }
}
