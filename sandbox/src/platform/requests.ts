import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { name, object, type Reader, ShapeError } from './shape.ts';

/**
 * Keeps request bodies as raw text: signatures cover the bytes, so they are verified before
 * parsing.
 */
export function keepBodiesAsText(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
}

export function bodyText(request: FastifyRequest): string {
  return typeof request.body === 'string' ? request.body : '';
}

/** The JSON body of a call to the control API; no body counts as an empty object. */
export function controlBody<T>(request: FastifyRequest, reader: Reader<T>): T {
  const sent = bodyText(request);
  try {
    return reader(sent === '' ? {} : JSON.parse(sent), 'body');
  } catch (error) {
    if (error instanceof SyntaxError) throw new ShapeError('body is not JSON');
    throw error;
  }
}

/**
 * Answers a malformed call to the control API with a 400 and the reason. `also` handles the errors
 * of one program.
 */
export function explainMalformedCalls(
  app: FastifyInstance,
  also: (error: unknown) => { status: number; body: object } | undefined = () => undefined,
): void {
  app.setErrorHandler((error, _request, reply) => {
    const known = also(error);
    if (known !== undefined) return reply.code(known.status).send(known.body);
    if (!(error instanceof ShapeError)) throw error;
    return reply.code(400).send({ error: 'bad_request', detail: error.message });
  });
}

/** Ends the connection without an answer, as a crash or a broken network does. */
export function cut(request: FastifyRequest, reply: FastifyReply): void {
  reply.hijack();
  request.raw.socket.destroy();
}

/** One value of the query string; a repeated key counts once. */
export function queryText(request: FastifyRequest, key: string): string | undefined {
  const query = request.url.split('?', 2)[1] ?? '';
  return new URLSearchParams(query).get(key) ?? undefined;
}

const idParams = object({ id: name });

/** The path parameter `:id`. */
export function idOf(request: FastifyRequest): string {
  return idParams(request.params, 'params').id;
}
