import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';

type Received = { body: Buffer; headers: IncomingHttpHeaders };

/** A webhook endpoint that records the raw bodies and answers as planned. */
export async function startReceiver(answer: { body?: string } = {}) {
  const received: Received[] = [];
  let failuresLeft = 0;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    received.push({ body: Buffer.concat(chunks), headers: request.headers });
    response.statusCode = failuresLeft > 0 ? 503 : 200;
    if (failuresLeft > 0) failuresLeft -= 1;
    response.end(answer.body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string')
    throw new Error('The server is not listening on a port.');

  return {
    url: `http://127.0.0.1:${address.port}/webhook`,
    received,
    /** Answers this many of the next webhooks with 503. */
    failNext: (times: number) => {
      failuresLeft = times;
    },
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
