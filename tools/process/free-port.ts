import { createServer } from 'node:net';

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
  const port = await listenBriefly(0, '127.0.0.1');
  if (port === undefined) throw new Error('No free port is left on 127.0.0.1.');
  return port;
}

async function isFree(port: number, host: string): Promise<boolean> {
  return (await listenBriefly(port, host)) !== undefined;
}

function listenBriefly(port: number, host: string): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      // A machine without IPv6 has nobody listening there.
      const isAbsent = error.code === 'EADDRNOTAVAIL' || error.code === 'EAFNOSUPPORT';
      resolve(isAbsent ? port : undefined);
    });
    server.listen({ port, host }, () => {
      const address = server.address();
      const bound = typeof address === 'object' && address !== null ? address.port : undefined;
      server.close(() => resolve(bound));
    });
  });
}
