import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A game that checks signatures by itself, with secrets that a test changes while it answers. */
export interface SigningGame {
  url: string;
  /** The secrets that it accepts from the shop. */
  accepted: string[];
  refused: number;
  close(): Promise<void>;
}

export const digestOf = (secret: string, t: string, body: string) =>
  createHmac('sha256', secret).update(`${t}.${body}`).digest('hex');

export async function startSigningGame(...accepted: string[]): Promise<SigningGame> {
  const server = createServer(async (request, reply) => {
    const body = await text(request);
    const header = String(request.headers['pointgate-signature']);
    const [, t = '', sent = ''] = /^t=(\d+),v1=([\da-f]{64})$/.exec(header) ?? [];
    const isSigned = game.accepted.some((secret) => digestOf(secret, t, body) === sent);
    if (!isSigned) game.refused += 1;
    reply.writeHead(isSigned ? 200 : 401, { 'content-type': 'application/json' });
    reply.end(JSON.stringify({ roles: [] }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // as: it listens on a port
  const game: SigningGame = {
    url: `http://127.0.0.1:${port}`,
    accepted,
    refused: 0,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return game;
}
