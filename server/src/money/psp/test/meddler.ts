import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';

/** New values for fields of a JSON reply by path, as in `data.0.status`. */
type Changes = Record<string, unknown>;

/**
 * A proxy between an adapter and the sandbox that changes replies, for replies that the sandbox itself
 * never sends.
 */
export async function startMeddler(target: string) {
  const plans = new Map<string, Changes[]>();
  const mistakes: unknown[] = [];
  const server = createServer(async (request, response) => {
    try {
      const reply = await passOn(target, request);
      const asked = `${request.method} ${request.url?.split('?', 1)[0]}`;
      const [changes, ...later] = plans.get(asked) ?? [];
      if (later.length > 0) plans.set(asked, later);
      else plans.delete(asked);
      response.statusCode = reply.status;
      const text = await reply.text();
      response.end(changes === undefined ? text : changed(text, changes));
    } catch (error) {
      mistakes.push(error);
      response.destroy();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');

  return {
    url: `http://127.0.0.1:${address.port}`,
    /** Changes the next replies to a call, one set of changes per reply. */
    change: (asked: string, ...changes: Changes[]) => plans.set(asked, changes),
    /** Throws if a planned change was not applied, so that no test passes by accident. */
    verify: () => {
      if (mistakes.length > 0) throw mistakes[0];
      if (plans.size > 0) throw new Error(`no call to ${[...plans.keys()]}`);
    },
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
export type Meddler = Awaited<ReturnType<typeof startMeddler>>;

async function passOn(target: string, request: IncomingMessage): Promise<Response> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const headers = Object.entries(request.headers).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' && !/^(host|connection|content-length)$/.test(name)
      ? [[name, value]]
      : [],
  );
  return await fetch(target + request.url, {
    method: request.method ?? 'GET',
    headers,
    ...(request.method === 'POST' ? { body: Buffer.concat(chunks) } : {}),
  });
}

function changed(text: string, changes: Changes): string {
  const reply: unknown = JSON.parse(text);
  for (const [path, value] of Object.entries(changes)) {
    const keys = path.split('.');
    const last = keys.pop() ?? '';
    const parent = keys.reduce(fieldOf, reply);
    fieldOf(parent, last);
    Object.assign(parent as object, { [last]: value }); // as: it has just had a field
  }
  return JSON.stringify(reply);
}

function fieldOf(parent: unknown, key: string): unknown {
  if (typeof parent !== 'object' || parent === null || !Object.hasOwn(parent, key)) {
    throw new Error(`a reply without ${key}`);
  }
  return Reflect.get(parent, key);
}
