import { connect, createServer, type Server, type Socket } from 'node:net';

/** A line to Redis that can be cut and mended, at an address that stays the same. */
export interface RedisLine {
  url: string;
  cut(): Promise<void>;
  mend(): Promise<void>;
}

export async function openRedisLine(redisUrl: string): Promise<RedisLine> {
  const { hostname, port } = new URL(redisUrl);
  const sockets = new Set<Socket>();
  let server: Server | undefined;
  const listen = async (at: number) => {
    const made = createServer((near) => {
      const far = connect(Number(port), hostname);
      for (const socket of [near, far]) {
        sockets.add(socket);
        socket
          .on('error', () => {})
          .on('close', () => {
            sockets.delete(socket);
            near.destroy();
            far.destroy();
          });
      }
      near.pipe(far).pipe(near);
    });
    await new Promise<void>((resolve, reject) => {
      made.on('error', reject).listen(at, '127.0.0.1', resolve);
    });
    server = made;
    return made.address();
  };
  const address = await listen(0);
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `redis://127.0.0.1:${address.port}`,
    cut: async () => {
      const closed = new Promise((resolve) => server?.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
    mend: async () => {
      await listen(address.port);
    },
  };
}
