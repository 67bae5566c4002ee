import { connect, createServer, type Server, type Socket } from 'node:net';
import { freePort } from '../../tools/process/free-port.ts';

/** A TCP proxy to Redis that can be cut and restored at the same address. */
export interface RedisLine {
  url: string;
  cut(): Promise<void>;
  mend(): Promise<void>;
}

export async function openRedisLine(redisUrl: string): Promise<RedisLine> {
  const { hostname, port } = new URL(redisUrl);
  const sockets = new Set<Socket>();
  let server: Server | undefined;
  // A port that no outgoing connection takes while the proxy is down.
  const at = await freePort();
  const listen = async () => {
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
  };
  await listen();
  return {
    url: `redis://127.0.0.1:${at}`,
    cut: async () => {
      const closed = new Promise((resolve) => server?.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
    mend: listen,
  };
}
