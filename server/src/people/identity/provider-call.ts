import { AppError } from '../../platform/errors.ts';
import { log } from '../../platform/log.ts';
import { callOut, OutboundFailure, type OutboundReply } from '../../platform/outbound.ts';

const timeoutMs = 8_000;

interface ProviderRequest {
  url: string;
  method: 'GET' | 'POST';
  headers: Record<string, string>;
  body?: string;
}

/** The provider did not answer, or not with an answer. What it was asked is not in the message. */
class ProviderDown extends Error {}

/** Asks a provider. Its addresses carry secrets, so no failure may carry the address further. */
export async function askProvider(request: ProviderRequest): Promise<OutboundReply> {
  const { host } = new URL(request.url);
  let reply: OutboundReply;
  try {
    reply = await callOut({ ...request, timeoutMs });
  } catch (error) {
    if (error instanceof OutboundFailure) throw new ProviderDown(`${host} did not answer`);
    throw error;
  }
  if (reply.status >= 500) throw new ProviderDown(`${host} answered ${reply.status}`);
  return reply;
}

/** For providers that are asked by address alone. */
export async function getJson(
  address: string,
  query: Record<string, string>,
): Promise<{ status: number; body: unknown }> {
  const url = `${address}?${new URLSearchParams(query)}`;
  const reply = await askProvider({ url, method: 'GET', headers: { accept: 'application/json' } });
  try {
    // By what it is: WeChat calls its JSON text.
    return { status: reply.status, body: JSON.parse(new TextDecoder().decode(reply.body)) };
  } catch {
    throw new ProviderDown(`${new URL(address).host} answered something that is not JSON`);
  }
}

/** What a sign-in at a provider came to, in the two refusals there are. */
export async function refusingWell<T>(method: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError) throw error;
    const down = findCause(error, (cause) => cause instanceof ProviderDown);
    if (down !== undefined) {
      log.warn({ method, reason: down.message }, 'an identity provider is down');
      throw new AppError('SystemBusy');
    }
    const refusal = findCause(error, isProviderRefusal);
    if (refusal === undefined) throw error;
    log.info({ method, reason: reasonOf(refusal) }, 'a sign-in elsewhere is refused');
    throw new AppError('AuthFail');
  }
}

/** The provider said no, or what it said cannot be believed. */
export class ProviderRefusal extends Error {}

/** What openid-client does not believe carries such a code; a mistake of ours does not. */
function isProviderRefusal(error: Error): boolean {
  if (error instanceof ProviderRefusal) return true;
  return 'code' in error && typeof error.code === 'string' && error.code.startsWith('OAUTH_');
}

/** The provider's own word where there is one, such as `invalid_client`. */
function reasonOf(error: Error): string {
  return 'error' in error && typeof error.error === 'string' ? error.error : error.message;
}

function findCause(error: unknown, fits: (error: Error) => boolean): Error | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (fits(cause)) return cause;
  }
  return undefined;
}
