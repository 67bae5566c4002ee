import { timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { unauthorized } from './failure.ts';
import type { Provider } from './provider.ts';

/** Throws unless the request carries the merchant's secret key. */
export function authorize(provider: Provider, request: FastifyRequest): void {
  const sent = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1];
  if (sent === undefined || !isSame(sent, provider.settings.secretKey)) throw unauthorized(sent);
}

function isSame(sent: string, expected: string): boolean {
  const [a, b] = [Buffer.from(sent), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
