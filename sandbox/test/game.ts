import { createHmac } from 'node:crypto';
import { startProgram } from './programs.ts';

export const secret = 'game-secret-of-today';
export const nextSecret = 'game-secret-of-tomorrow';

export type Signing = { secrets?: string[]; atSeconds?: number; header?: string };

type Grant = {
  paymentId: string;
  sku: string;
  quantity: number;
  roleId: string;
  revoked: boolean;
};
type Call = { call: string; paymentId: string | null; status: number | null; body: unknown };

/** The program, with calls signed by a plain HMAC. */
export async function startGame(env: Record<string, string> = {}) {
  const program = await startProgram('game', { GAME_SECRETS: `${secret},${nextSecret}`, ...env });
  return {
    ...program,
    call: async (name: string, body: object | string, signing: Signing = {}) => {
      const raw = typeof body === 'string' ? body : JSON.stringify(body);
      const response = await fetch(`${program.url}/${name}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'pointgate-signature': signing.header ?? signatureOf(raw, signing),
        },
        body: raw,
      });
      const answer: unknown = await response.json();
      return { status: response.status, body: answer };
    },
    grants: async (paymentId: string): Promise<Grant[]> => {
      const answer = await program.get(`/__sandbox/grants?paymentId=${paymentId}`);
      return isWith(answer, 'grants') ? answer.grants : [];
    },
    calls: async (): Promise<Call[]> => {
      const answer = await program.get('/__sandbox/records');
      return isWith(answer, 'calls') ? answer.calls : [];
    },
  };
}

export type GameProgram = Awaited<ReturnType<typeof startGame>>;

export function signatureOf(body: string, signing: Signing = {}): string {
  const time = signing.atSeconds ?? Math.floor(Date.now() / 1000);
  const signatures = (signing.secrets ?? [secret]).map((key) =>
    createHmac('sha256', key).update(`${time}.${body}`).digest('hex'),
  );
  return [`t=${time}`, ...signatures.map((v1) => `v1=${v1}`)].join(',');
}

/** A recharge of 60 gems for Aveline. */
export function givenRecharge(changes: object = {}) {
  return {
    sandbox: true,
    paymentId: `${crypto.randomUUID()}`,
    gameId: 'demo',
    serverId: 's12',
    roleId: 'r_aveline',
    gameAccountId: 'ga_aveline',
    items: [{ sku: 'gems_60', quantity: 1 }],
    ...changes,
  };
}

function isWith(answer: unknown, key: 'grants'): answer is { grants: Grant[] };
function isWith(answer: unknown, key: 'calls'): answer is { calls: Call[] };
function isWith(answer: unknown, key: string): boolean {
  return typeof answer === 'object' && answer !== null && key in answer;
}
