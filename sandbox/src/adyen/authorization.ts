import type { FastifyRequest } from 'fastify';
import { notAllowed } from './failure.ts';
import type { Provider } from './provider.ts';

/** Throws unless the request carries the merchant's API key. */
export function authorize({ settings }: Provider, request: FastifyRequest): void {
  const sent = request.headers['x-api-key'];
  if (sent === undefined) {
    throw notAllowed(401, '000', 'HTTP Status Response - Unauthorized');
  }
  if (sent !== settings.apiKey) throw notAllowed(403, '010', 'Not allowed');
}
