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

/**
 * The provider did not answer or failed. The message must not contain the request, which holds
 * secrets.
 */
class ProviderDown extends Error {}

/** Calls a provider. URLs contain secrets, so errors must not contain the URL. */
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

/** For providers that take all parameters in the URL. */
export async function getJson(
  address: string,
  query: Record<string, string>,
): Promise<{ status: number; body: unknown }> {
  const url = `${address}?${new URLSearchParams(query)}`;
  const reply = await askProvider({ url, method: 'GET', headers: { accept: 'application/json' } });
  try {
    // Parses without looking at the content type: WeChat sends JSON as text/plain.
    return { status: reply.status, body: JSON.parse(new TextDecoder().decode(reply.body)) };
  } catch {
    throw new ProviderDown(`${new URL(address).host} answered something that is not JSON`);
  }
}

/** Maps failures of a provider sign-in to `SystemBusy` (provider down) and `AuthFail` (refused). */
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
    log.info({ method, reason: reasonOf(refusal) }, 'a provider sign-in was refused');
    throw new AppError('AuthFail');
  }
}

/** The provider refused, or its answer failed verification. */
export class ProviderRefusal extends Error {}

/** Failed verifications of openid-client have an `OAUTH_` code; programming errors do not. */
function isProviderRefusal(error: Error): boolean {
  if (error instanceof ProviderRefusal) return true;
  return 'code' in error && typeof error.code === 'string' && error.code.startsWith('OAUTH_');
}

/** The provider's error code if there is one, such as `invalid_client`. */
function reasonOf(error: Error): string {
  return 'error' in error && typeof error.error === 'string' ? error.error : error.message;
}

function findCause(error: unknown, fits: (error: Error) => boolean): Error | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (fits(cause)) return cause;
  }
  return undefined;
}
