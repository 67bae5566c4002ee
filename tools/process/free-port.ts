import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

// Below the range from which systems take the ports of outgoing connections (32768 and up on Linux,
// 49152 on others). In there, a program that is called while it is down could find its port taken by
// the very call: a connection from a port to itself.
const lowest = 15_000;
const highest = 32_000;
const triesMax = 100;
// A port is listened on a while after it was found. Two who look for one in the meantime must not find the
// same: neither in one process nor in two that were started together, which have ids close to each other.
const given = new Set<number>();
const step = 20;

/**
 * The first of the preferred ports that is free on loopback, otherwise any free one. Somebody else
 * may take it before we do; whoever listens on it must be ready to try once more.
 */
export async function freePort(preferred: readonly number[] = []): Promise<number> {
  for (const port of preferred) {
    // Both addresses, because browsers may read `localhost` either way and would meet the stranger.
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
      // A machine without IPv6 has nobody listening there.
      resolve(error.code === 'EADDRNOTAVAIL' || error.code === 'EAFNOSUPPORT');
    });
    server.listen({ port, host }, () => server.close(() => resolve(true)));
  });
}
