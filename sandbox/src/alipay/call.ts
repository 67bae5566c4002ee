import type { FastifyReply, FastifyRequest } from 'fastify';
import { interfere } from '../platform/interference.ts';
import { cut } from '../platform/requests.ts';
import { ShapeError } from '../platform/shape.ts';
import { contentIn, type Fields, verifyRequest } from './authorization.ts';
import { AlipayFailure, invalid, systemError, unavailable } from './failure.ts';
import type { WireObject } from './objects.ts';
import type { Fault, Provider } from './provider.ts';
import { answerName, contentOf, signedAnswer, signingKey } from './signature.ts';

type Call = { request: FastifyRequest; reply: FastifyReply; fields: Fields };

/**
 * Handles one API call: authentication, the planned fault if any, and the work in one transaction.
 * The HTTP status is always 200; the signed content tells the outcome.
 */
export async function answer(
  provider: Provider,
  call: Call,
  work: (content: unknown) => WireObject,
): Promise<FastifyReply> {
  const { reply, fields } = call;
  const method = fields.method ?? '';
  provider.db.run(
    'insert into requests (at, method) values (?, ?)',
    new Date().toISOString(),
    method,
  );
  try {
    verifyRequest(provider, fields);
  } catch (error) {
    if (!(error instanceof AlipayFailure)) throw error;
    return send(reply, envelope(provider, method, error.content));
  }
  const fault = provider.faults.take(({ match }) => match === method);
  if (await isStopped(provider, { ...call, fault })) return reply;
  const content = settle(provider, () => work(contentIn(fields)));
  return present(provider, { ...call, fault, content });
}

/** Applies a fault planned for before the work; true when the request is already answered. */
function isStopped(
  provider: Provider,
  call: Call & { fault: Fault | undefined },
): Promise<boolean> {
  const { reply, fields } = call;
  return interfere(provider, call, {
    http500_before: () => reply.code(500).send('Internal Server Error'),
    unavailable: () => send(reply, envelope(provider, fields.method ?? '', unavailable)),
  });
}

function settle(provider: Provider, work: () => WireObject): WireObject {
  try {
    const done = provider.db.transaction(work);
    return { code: '10000', msg: 'Success', ...done };
  } catch (error) {
    const failure =
      error instanceof ShapeError ? invalid('isv.invalid-parameter', error.message) : error;
    if (!(failure instanceof AlipayFailure)) throw failure;
    return failure.content;
  }
}

/** Sends the result of the work, or what the planned fault turns it into. */
function present(
  provider: Provider,
  {
    request,
    reply,
    fields,
    fault,
    content,
  }: Call & { fault: Fault | undefined; content: WireObject },
): FastifyReply {
  const method = fields.method ?? '';
  const genuine = envelope(provider, method, content);
  switch (fault?.kind) {
    case 'http500_after_commit':
      return reply.code(500).send('Internal Server Error');
    case 'cut_after_commit':
      cut(request, reply);
      return reply;
    case 'system_error_after_commit':
      return send(reply, envelope(provider, method, systemError));
    case 'bad_signature':
      return send(
        reply,
        signedAnswer({
          name: answerName(method),
          content: contentOf(content),
          key: provider.stranger,
        }),
      );
    case 'altered':
      return send(reply, genuine.replace('"Success"', '"success"'));
    case 'unsigned':
      return send(reply, `{"${answerName(method)}":${contentOf(content)}}`);
    case 'error_response':
      return send(reply, `{"error_response":${contentOf(content)}}`);
    case 'other_method':
      return send(reply, envelope(provider, 'alipay.trade.other', content));
    case 'truncated':
      return send(reply, genuine.slice(0, Math.ceil(genuine.length / 2)));
    case 'empty_200':
      return send(reply, '');
    case 'html_200':
      return reply.code(200).type('text/html').send('<html><body>Maintenance</body></html>');
    case 'other_answer':
      return sendOther(provider, { reply, method, fault });
    default:
      return send(reply, genuine);
  }
}

function sendOther(
  provider: Provider,
  { reply, method, fault }: { reply: FastifyReply; method: string; fault: Fault },
): FastifyReply {
  const { body = '{}', status = 200, isRaw = false } = fault;
  reply.code(status);
  const name = answerName(method);
  return send(
    reply,
    isRaw ? body : signedAnswer({ name, content: body, key: signingKey(provider) }),
  );
}

function envelope(provider: Provider, method: string, content: WireObject): string {
  return signedAnswer({
    name: answerName(method),
    content: contentOf(content),
    key: signingKey(provider),
  });
}

function send(reply: FastifyReply, body: string): FastifyReply {
  return reply.type('text/html;charset=utf-8').send(body);
}
