import { timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { bodyText } from '../platform/requests.ts';
import { object, text, whole } from '../platform/shape.ts';
import { badClient, badToken, invalid } from './failure.ts';
import { newToken } from './ids.ts';
import type { Provider } from './provider.ts';

const lifeSeconds = 32_400;

const tokenRow = object({ token: text, expires_at: whole });

/** Issues an access token for the client secret, valid for nine hours. */
export function issueToken(provider: Provider, request: FastifyRequest): object {
  const { clientId, clientSecret } = provider.settings;
  const [, sent = ''] = /^Basic (.+)$/i.exec(request.headers.authorization ?? '') ?? [];
  const credentials = Buffer.from(sent, 'base64');
  const expected = Buffer.from(`${clientId}:${clientSecret}`);
  const isClient = credentials.length === expected.length && timingSafeEqual(credentials, expected);
  if (!isClient) throw badClient();
  if (new URLSearchParams(bodyText(request)).get('grant_type') !== 'client_credentials') {
    throw invalid('/grant_type', 'INVALID_PARAMETER_VALUE');
  }
  const token = newToken();
  provider.db.run(
    'insert into tokens (token, expires_at) values (?, ?)',
    token,
    provider.clock.nowSeconds() + lifeSeconds,
  );
  return {
    scope:
      'https://uri.paypal.com/services/payments/realtimepayment https://uri.paypal.com/services/reporting/search/read https://uri.paypal.com/services/disputes/read-seller',
    access_token: token,
    token_type: 'Bearer',
    app_id: 'APP-80W284485P519543T',
    expires_in: lifeSeconds,
    nonce: `${new Date().toISOString()}${newToken()}`,
  };
}

export function requireToken(provider: Provider, request: FastifyRequest): void {
  const [, sent = ''] = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '') ?? [];
  const row = provider.db.one(tokenRow, 'select * from tokens where token = ?', sent);
  if (row === undefined || row.expires_at <= provider.clock.nowSeconds()) throw badToken();
}

/** Expires all tokens before the time that the client was told. */
export function endTokens(provider: Provider): void {
  provider.db.run('delete from tokens');
}
