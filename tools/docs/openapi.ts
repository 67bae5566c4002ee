import type { Endpoint } from '@pointgate/contract/endpoint.ts';
import { endpoints } from '@pointgate/contract/endpoints.ts';
import {
  commonRefusals,
  type ErrorCode,
  errorCodes,
  playerRefusals,
} from '@pointgate/contract/errors.ts';
import { gameCalls, gameSignatureHeader } from '@pointgate/contract/game-calls.ts';
import { putPerson } from '@pointgate/contract/real-names.ts';
import { reportServers } from '@pointgate/contract/server-reports.ts';
import { issueTicket } from '@pointgate/contract/tickets.ts';
import * as z from 'zod/mini';

const version = '0.1.0';

const signatureParameter = {
  name: gameSignatureHeader,
  in: 'header',
  required: true,
  schema: { type: 'string', pattern: '^t=\\d+(,v1=[0-9a-f]{64})+$' },
};

/** The endpoints of the shop as OpenAPI 3.1. */
export function shopOpenApi(): object {
  const paths: Record<string, object> = {};
  for (const endpoint of endpoints) {
    paths[endpoint.path] = { [endpoint.method.toLowerCase()]: operationOf(endpoint) };
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Pointgate',
      version,
      description:
        'Every reply has the form {isSuccess, data, msg, code, status}. A refusal by the rules is ' +
        'HTTP 200 with isSuccess false and a code; an ended login is HTTP 203. The header ' +
        'x-request-id names the request in our logs.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    paths,
    components: {
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: '__Host-sid' },
      },
    },
  };
}

/** The calls that a game answers, as OpenAPI 3.1. */
export function gameOpenApi(): object {
  const paths: Record<string, object> = {};
  for (const [name, call] of Object.entries(gameCalls)) {
    paths[`/${name}`] = {
      post: {
        operationId: name,
        summary: call.summary,
        description: `The shop waits ${call.timeoutMs / 1000} s for the answer.`,
        parameters: [signatureParameter],
        requestBody: { required: true, content: jsonOf(call.request) },
        responses: {
          200: { description: "The game's answer", content: jsonOf(call.reply) },
          401: { description: 'The signature is wrong or not of the last five minutes' },
        },
      },
    };
  }
  for (const call of askedByGames) paths[call.path] = { post: askedByGame(call) };
  return {
    openapi: '3.1.1',
    info: {
      title: 'Pointgate: what a game answers',
      version,
      description:
        `Each request is signed: ${gameSignatureHeader} is t=<unix seconds>,v1=<hex HMAC-SHA256 of ` +
        '`t.body`>. Refuse signatures more than five minutes off, either way. While a secret is ' +
        'rotated, accept both. Any answer but HTTP 200 is taken for no answer, and asked again.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    paths,
  };
}

/** The calls that a game's back end may make to the shop, signed in the same way. */
const askedByGames = [issueTicket, putPerson, reportServers];

function askedByGame(call: (typeof askedByGames)[number]): object {
  const answer = (description: string) => ({ description, content: jsonOf(call.reply) });
  return {
    operationId: call.path.slice('/api/'.length).replaceAll('/', '_'),
    summary: call.summary,
    description: "Asked by the game's back end at the shop. The same request twice is refused.",
    parameters: [signatureParameter],
    requestBody: { required: true, content: jsonOf(call.request) },
    responses: {
      200: answer('Done, or refused by the rules'),
      400: answer('Signed, and yet nothing that this call takes'),
      401: answer('Not signed by this game in the last five minutes, or sent before'),
    },
  };
}

function operationOf(endpoint: Endpoint): object {
  const refusals: ErrorCode[] = [
    ...endpoint.refusals,
    ...commonRefusals,
    ...(endpoint.access === 'player' ? playerRefusals : []),
  ];
  return {
    operationId: endpoint.path
      .slice('/api/'.length)
      .replace(/\/\{\w+\}/g, '')
      .replaceAll('/', '_'),
    summary: endpoint.summary,
    ...(endpoint.address === undefined ? {} : { parameters: parametersOf(endpoint) }),
    security: endpoint.access === 'player' ? [{ session: [] }] : [],
    ...(endpoint.method === 'POST'
      ? { requestBody: { required: true, content: jsonOf(endpoint.body) } }
      : {}),
    responses: {
      200: {
        description: 'Done, or refused with one of the codes',
        content: {
          'application/json': {
            schema: {
              oneOf: [
                envelopeOf({ isSuccess: true, data: schemaOf(endpoint.reply), codes: [] }),
                envelopeOf({ isSuccess: false, data: { type: 'null' }, codes: refusals }),
              ],
            },
          },
        },
      },
      default: { description: refusals.map(explain).join('; ') },
    },
  };
}

function parametersOf({ path, address }: Endpoint): object[] {
  if (address === undefined) return [];
  const { properties = {}, required = [] } = z.toJSONSchema(address, { io: 'input' });
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: path.includes(`{${name}}`) ? 'path' : 'query',
    required: required.includes(name),
    schema,
  }));
}

function explain(code: ErrorCode): string {
  return `${code}: ${errorCodes[code].meaning}`;
}

function envelopeOf(options: { isSuccess: boolean; data: object; codes: ErrorCode[] }): object {
  const fields = {
    isSuccess: { const: options.isSuccess },
    data: options.data,
    msg: { type: 'string' },
    code: options.isSuccess ? { type: 'null' } : { enum: [...new Set(options.codes)].sort() },
    status: { type: 'integer' },
  };
  return { type: 'object', required: Object.keys(fields), properties: fields };
}

function jsonOf(schema: z.ZodMiniType): object {
  return { 'application/json': { schema: schemaOf(schema) } };
}

/** The schema of the JSON form: an amount is a string of digits. */
function schemaOf(schema: z.ZodMiniType): object {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io: 'input' });
  return rest;
}
