import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openScratch, type Scratch } from '../../test/scratch.ts';
import { callOut, OutboundFailure, type OutboundRequest } from './outbound.ts';

let scratch: Scratch;
beforeAll(async () => {
  scratch = await openScratch();
});
afterAll(() => scratch.close());

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** A local server with the given behaviour. */
async function givenStranger(behave: RequestListener): Promise<OutboundRequest> {
  const server = createServer(behave);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // as: it listens on a port, not on a pipe
  return { url: `http://127.0.0.1:${port}/`, method: 'GET', headers: {}, timeoutMs: 10_000 };
}

test('an outbound HTTP call of the shop sends its method, headers and body and returns those of the reply', async () => {
  const request = await givenStranger(async (received, reply) => {
    const body = (await received.toArray()).join('');
    const { 'x-our-id': id } = received.headers;
    reply.writeHead(418, { 'x-their-id': '7' }).end(`${received.method} ${id} ${body}`);
  });
  const reply = await callOut({
    ...request,
    method: 'POST',
    headers: { 'x-our-id': '12' },
    body: 'hello',
  });
  expect(reply.status).toBe(418);
  expect(reply.headers.get('x-their-id')).toBe('7');
  expect(new TextDecoder().decode(reply.body)).toBe('POST 12 hello');
});

test('an outbound HTTP call of the shop without an answer times out', async () => {
  const request = await givenStranger(() => {});
  await expect(callOut({ ...request, timeoutMs: 100 })).rejects.toThrow(OutboundFailure);
});

test('an outbound HTTP call of the shop whose reply never ends times out', async () => {
  const request = await givenStranger((_received, reply) => {
    reply.writeHead(200).write('{"roles":[');
  });
  await expect(callOut({ ...request, timeoutMs: 200 })).rejects.toThrow(OutboundFailure);
});

test('an outbound HTTP call of the shop whose connection is closed fails with an error that names method and URL', async () => {
  const request = await givenStranger((received) => received.socket.destroy());
  await expect(callOut(request)).rejects.toThrow(`GET ${request.url}`);
  await expect(callOut(request)).rejects.toThrow(OutboundFailure);
});

describe('outbound failures that may have been received', () => {
  async function wasNeverSent(request: OutboundRequest): Promise<boolean> {
    const failure = await callOut(request).then(
      () => undefined,
      (error: unknown) => error,
    );
    if (!(failure instanceof OutboundFailure)) throw new Error('the call did not fail');
    return failure.wasNeverSent;
  }

  test('a failed outbound HTTP call of the shop counts as certainly not received if no server could be reached', async () => {
    const request = await givenStranger(() => {});
    for (const server of servers.splice(0)) {
      await new Promise((resolve) => server.close(resolve));
    }
    expect(await wasNeverSent(request)).toBe(true);
    // A name with several addresses, none of which has a listener.
    const url = request.url.replace('127.0.0.1', 'localhost');
    expect(await wasNeverSent({ ...request, url })).toBe(true);
    expect(await wasNeverSent({ ...request, url: 'http://nowhere.invalid/' })).toBe(true);
  });

  test.each<[string, RequestListener, number]>([
    ['closes the connection', (received) => received.socket.destroy(), 10_000],
    ['does not answer', () => {}, 100],
    [
      'sends too long a reply',
      (_received, reply) => reply.end(Buffer.alloc(1024 * 1024 + 1)),
      10_000,
    ],
    ['redirects', (_received, reply) => reply.writeHead(302, { location: '/' }).end(), 10_000],
  ])(
    'a failed outbound HTTP call of the shop counts as possibly received if the server %s',
    async (_what, behave, timeoutMs) => {
      expect(await wasNeverSent({ ...(await givenStranger(behave)), timeoutMs })).toBe(false);
    },
  );
});

test('a reply of one megabyte to an outbound HTTP call of the shop is read, one byte more is refused', async () => {
  const limit = 1024 * 1024;
  const fits = await givenStranger((_received, reply) => reply.end(Buffer.alloc(limit, 'x')));
  expect((await callOut(fits)).body).toHaveLength(limit);
  const tooLarge = await givenStranger((_received, reply) => reply.end(Buffer.alloc(limit + 1)));
  await expect(callOut(tooLarge)).rejects.toThrow(`more than ${limit} bytes`);
  const long = await callOut({ ...tooLarge, replyBytesMax: limit + 1 });
  expect(long.body).toHaveLength(limit + 1);
});

test('an endless reply to an outbound HTTP call of the shop is refused at the size limit', async () => {
  const request = await givenStranger((_received, reply) => {
    const more = () => {
      while (reply.writable && reply.write(Buffer.alloc(64 * 1024)));
      reply.once('drain', more);
    };
    more();
  });
  await expect(callOut(request)).rejects.toThrow('more than');
});

test.each([301, 302, 303, 307, 308])(
  'an outbound HTTP call of the shop does not follow a redirect with status %d',
  async (status) => {
    const visited: (string | undefined)[] = [];
    const request = await givenStranger((received, reply) => {
      visited.push(received.url);
      reply.writeHead(status, { location: '/elsewhere' }).end();
    });
    await expect(callOut(request)).rejects.toThrow(OutboundFailure);
    expect(visited).toEqual(['/']);
  },
);

test('an outbound HTTP call of the shop inside a database transaction is refused', async () => {
  const visited: (string | undefined)[] = [];
  const request = await givenStranger((received, reply) => {
    visited.push(received.url);
    reply.end();
  });
  const calling = scratch.db.transaction(async () => {
    // Also later, in asynchronous work of the transaction.
    await new Promise((resolve) => setImmediate(resolve));
    await callOut(request);
  });
  await expect(calling).rejects.toThrow('inside a transaction');
  await expect(calling).rejects.not.toThrow(OutboundFailure);
  expect(visited).toEqual([]);

  await callOut(request);
  expect(visited).toEqual(['/']);
});
