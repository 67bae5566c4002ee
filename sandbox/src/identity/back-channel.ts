import {
  type Issued,
  newSecret,
  type ProviderName,
  recordCall,
  takeFault,
  type World,
} from './world.ts';

export type Answer = { status: number; body: object };

/** Answers a call from a shop's server, or applies the planned fault. */
export async function answerCall(
  world: World,
  input: { provider: ProviderName; call: string; sent: URLSearchParams; mayFail: boolean },
  work: () => Answer,
): Promise<Answer> {
  const { provider, call, sent } = input;
  const fault = input.mayFail ? takeFault(world, provider, ['hang', 'error']) : undefined;
  if (fault?.kind === 'hang') await world.hanging.hang(fault.hangMs);
  const answer = fault?.kind === 'error' ? { status: 500, body: {} } : work();
  recordCall(world, { provider, call, status: answer.status, sent: [...sent.keys()] });
  return answer;
}

const codeSeconds = 5 * 60;
const tokenSeconds = 2 * 60 * 60;

export function issueCode(
  world: World,
  given: Pick<Issued, 'personId' | 'clientId' | 'returnAddress' | 'scope'>,
): string {
  const code = newSecret();
  world.codes.set(code, { ...given, expiresAt: Date.now() + codeSeconds * 1_000, isUsed: false });
  return code;
}

/** The code, if it was issued to this client and has not expired. It may have been used. */
export function findCode(world: World, code: string, clientId: string): Issued | undefined {
  const issued = world.codes.get(code);
  if (issued === undefined || issued.clientId !== clientId) return undefined;
  return issued.expiresAt > Date.now() ? issued : undefined;
}

/** Exchanges a code for a token and marks the code as used. */
export function tradeCode(world: World, issued: Issued): { token: string; expiresIn: number } {
  issued.isUsed = true;
  const token = newSecret();
  world.tokens.set(token, { ...issued, expiresAt: Date.now() + tokenSeconds * 1_000 });
  return { token, expiresIn: tokenSeconds };
}
