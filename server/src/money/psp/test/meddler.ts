import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';

/** Fields of a JSON reply by their path, as in `data.0.status`, and what they should be instead. */
type Changes = Record<string, unknown>;

/**
 * Stands between an adapter and the sandbox and changes what is said, so that an adapter hears what
 * the sandbox would never say.
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
    /** The next answers to this call are changed, each in its own way. */
    change: (asked: string, ...changes: Changes[]) => plans.set(asked, changes),
    /** Throws where a change was not made, so that no test passes by chance. */
    verify: () => {
      if (mistakes.length > 0) throw mistakes[0];
      if (plans.size > 0) throw new Error(`nobody asked ${[...plans.keys()]}`);
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
