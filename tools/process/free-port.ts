import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

// Below the range of ports for outgoing connections (32768 and up on Linux, 49152 on others).
// Within that range, a connection to a stopped program could get its port as source port and
// connect to itself.
const lowest = 15_000;
const highest = 32_000;
const triesMax = 100;
// A port is used a while after it was found, so two concurrent searches must not find the same one,
// neither in one process nor in two started together, whose ids are adjacent.
const given = new Set<number>();
const step = 20;

/**
 * The first preferred port that is free on loopback, otherwise any free one. Another process may
 * take it first, so the caller must be ready to retry.
 */
export async function freePort(preferred: readonly number[] = []): Promise<number> {
  for (const port of preferred) {
    // Both addresses, because browsers may resolve `localhost` to either.
    if (await isFree(port, '127.0.0.1')) {
      if (await isFree(port, '::1')) return port;
    }
  }
  for (let tries = 0; tries < triesMax; tries += 1) {
    const port = randomInt(lowest / step, highest / step) * step + (process.pid % step);
    if (given.has(port)) continue;
    given.add(port);
    if (await isFree(port, '127.0.0.1')) return port;
  }
  throw new Error('No free port is left on 127.0.0.1.');
}

function isFree(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      // On a machine without IPv6 no process listens there.
      resolve(error.code === 'EADDRNOTAVAIL' || error.code === 'EAFNOSUPPORT');
    });
    server.listen({ port, host }, () => server.close(() => resolve(true)));
  });
}
