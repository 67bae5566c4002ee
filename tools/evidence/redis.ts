import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Place } from './find-leaks.ts';

// All keys with their values, whatever their type. Not by DUMP, which may pack what it writes.
const everything = `
  local found = {}
  local readers = {
    string = { 'GET' }, hash = { 'HGETALL' }, set = { 'SMEMBERS' },
    list = { 'LRANGE', 0, -1 }, zset = { 'ZRANGE', 0, -1, 'WITHSCORES' }, stream = { 'XRANGE', '-', '+' },
  }
  for _, key in ipairs(redis.call('KEYS', '*')) do
    local reader = readers[redis.call('TYPE', key).ok]
    table.insert(found, key)
    table.insert(found, redis.call(reader[1], key, unpack(reader, 2)))
  end
  return found`;

/** All that Redis holds, as it comes over the wire. */
export async function dumpRedis(redisUrl: string): Promise<Place> {
  return { name: 'redis', text: await tellRedis(redisUrl, ['EVAL', everything, '0']) };
}

/** Sends one command and answers the raw reply. */
export async function tellRedis(redisUrl: string, command: readonly string[]): Promise<string> {
  const socket = await connectTo(redisUrl);
  socket.write(written(command) + written(['QUIT']));
  let reply = '';
  for await (const part of socket) reply += part;
  if (reply.startsWith('-')) throw new Error(`Redis refused ${command[0]}.`);
  return reply;
}

export interface RedisWatch {
  /** Every command since, with its arguments. */
  seen(): Place;
  stop(): void;
}

/** Listens to all that is said to Redis: what it is told to forget soon would not be found later. */
export async function watchRedis(redisUrl: string): Promise<RedisWatch> {
  const socket = await connectTo(redisUrl);
  let heard = '';
  socket.on('data', (part) => {
    heard += part;
  });
  // It may be stopped before we stop listening.
  socket.on('error', () => {});
  socket.write(written(['MONITOR']));
  await once(socket, 'data');
  return {
    seen: () => ({ name: 'redis commands', text: heard }),
    stop: () => socket.destroy(),
  };
}

async function connectTo(redisUrl: string): Promise<Socket> {
  const { hostname, port } = new URL(redisUrl);
  const socket = connect({ host: hostname, port: Number(port || 6379) });
  // Latin letters for bytes: values may be anything.
  socket.setEncoding('latin1');
  await once(socket, 'connect');
  return socket;
}

function written(command: readonly string[]): string {
  const parts = command.map((part) => `$${Buffer.byteLength(part)}\r\n${part}\r\n`);
  return `*${command.length}\r\n${parts.join('')}`;
}
