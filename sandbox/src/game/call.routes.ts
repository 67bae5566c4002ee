import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { bodyText, cut } from '../platform/requests.ts';
import { type Reader, ShapeError } from '../platform/shape.ts';
import {
  type CallName,
  type GameFault,
  listBody,
  type Reason,
  rechargeBody,
  revokeBody,
  rolesBody,
} from './calls.ts';
import type { Game } from './game.ts';
import { listRecharges } from './list.ts';
import { deliver, placeOf, revoke, validate } from './recharge.ts';
import { recordCall } from './records.ts';
import { rolesAt } from './roles.ts';
import { isSigned } from './signature.ts';

type Answer = { status: number; body: object };

/** The signed calls from a shop to a game. */
export function registerCallRoutes(app: FastifyInstance, game: Game): void {
  signedCall(app, game, {
    call: 'roles.query',
    reader: rolesBody,
    work: (body) => ok({ roles: rolesAt(game, body) }),
  });
  signedCall(app, game, {
    call: 'recharge.validate',
    reader: rechargeBody,
    work: (body, no) => ok(validate(game, body, no)),
  });
  signedCall(app, game, {
    call: 'recharge.deliver',
    reader: rechargeBody,
    work: (body, no) => {
      const delivery = deliver(game, body, no);
      if (delivery.result === 'conflict') return { status: 409, body: { error: 'conflict' } };
      return ok(delivery);
    },
  });
  signedCall(app, game, {
    call: 'recharge.revoke',
    reader: revokeBody,
    work: (body) => ok(revoke(game, body)),
  });
  signedCall(app, game, {
    call: 'recharge.list',
    reader: listBody,
    work: (body) => ok(listRecharges(game, body)),
  });
}

/** `no` is the reason of a planned refusal. */
type SignedCall<Body> = {
  call: CallName;
  reader: Reader<Body>;
  work: (body: Body, no: Reason | undefined) => Answer;
};

type Named = { gameId?: string; serverId?: string; paymentId?: string };

function signedCall<Body extends Named>(
  app: FastifyInstance,
  game: Game,
  { call, reader, work }: SignedCall<Body>,
): void {
  app.post(`/${call}`, async (request, reply) => {
    const sent = bodyText(request);
    const send = (paymentId: string | null, answer: Answer) => {
      recordCall(game, { call, paymentId, body: sent, answer });
      return reply.code(answer.status).send(answer.body);
    };

    if (!isFromShop(game, request)) {
      return send(null, { status: 401, body: { error: 'bad_signature' } });
    }
    const read = readBody(sent, reader);
    if ('problem' in read) {
      return send(null, { status: 400, body: { error: 'bad_request', detail: read.problem } });
    }
    const { body } = read;
    const paymentId = body.paymentId ?? null;
    const fault = takeFault(game, call, body);
    if (fault?.kind === 'http500_before') return send(paymentId, broken);
    // A hanging call does its work after the wait, even if the caller has gone.
    const isEnding = fault?.kind === 'hang' && (await game.hanging.hang(fault.hangMs));
    if (isEnding) return cutOff(request, reply);

    // The work and the record of the call are committed together, before the answer is sent.
    const answer = game.db.transaction(() => {
      const found = answerAfter(fault, work(body, reasonOf(fault)));
      recordCall(game, { call, paymentId, body: sent, answer: found });
      return found;
    });
    if (answer === null) return cutOff(request, reply);
    return reply.code(answer.status).send(answer.body);
  });
}

function takeFault(game: Game, call: CallName, body: Named): GameFault | undefined {
  // A revocation carries only the payment id, so game and server come from the delivery.
  const place = body.gameId === undefined ? placeOf(game, body.paymentId ?? '') : body;
  return game.faults.take(
    ({ call: faulty, gameId, serverId }) =>
      faulty === call &&
      (gameId === undefined || gameId === place?.gameId) &&
      (serverId === undefined || serverId === place?.serverId),
  );
}

/** The answer after the planned fault; null when the connection is cut. */
function answerAfter(fault: GameFault | undefined, answer: Answer): Answer | null {
  if (fault?.kind === 'cut_after_commit') return null;
  return fault?.kind === 'http500_after_commit' ? broken : answer;
}

const broken: Answer = { status: 500, body: { error: 'internal' } };

function ok(body: object): Answer {
  return { status: 200, body };
}

function isFromShop(game: Game, request: FastifyRequest): boolean {
  const header = request.headers['pointgate-signature'];
  return isSigned({
    header: typeof header === 'string' ? header : undefined,
    body: bodyText(request),
    secrets: game.secrets,
    nowSeconds: Math.floor(Date.now() / 1000),
  });
}

function readBody<Body>(sent: string, reader: Reader<Body>): { body: Body } | { problem: string } {
  try {
    return { body: reader(JSON.parse(sent), 'body') };
  } catch (error) {
    if (error instanceof SyntaxError) return { problem: 'body is not JSON' };
    if (error instanceof ShapeError) return { problem: error.message };
    throw error;
  }
}

function reasonOf(fault: GameFault | undefined): Reason | undefined {
  if (fault?.kind !== 'decline' && fault?.kind !== 'refuse') return undefined;
  return fault.reason ?? 'server_closed';
}

function cutOff(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  cut(request, reply);
  return reply;
}
