import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { freePort } from './free-port.ts';

test('the search for a free port takes a preferred port on which no process listens', async () => {
  const port = await freePort();

  expect(await freePort([port])).toBe(port);
});

test('the search for a free port skips a preferred port that is taken', async () => {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const taken = typeof address === 'object' && address !== null ? address.port : 0;
  const next = await freePort();

  expect(await freePort([taken, next])).toBe(next);
  expect(await freePort([taken])).not.toBe(taken);
  server.close();
});

test('the search for a free port finds one below the range of ports for outgoing connections', async () => {
  for (let times = 0; times < 20; times += 1) expect(await freePort()).toBeLessThan(32_768);
});

test('concurrent requests for a free port get different ports', async () => {
  const ports = await Promise.all(Array.from({ length: 200 }, () => freePort()));

  expect(new Set(ports).size).toBe(ports.length);
});
