import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Place } from './find-leaks.ts';

// All keys with their values of any type. Not with DUMP, which may compress values.
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

/** The content of Redis as raw protocol text. */
export async function dumpRedis(redisUrl: string): Promise<Place> {
  return { name: 'redis', text: await tellRedis(redisUrl, ['EVAL', everything, '0']) };
}

/** Sends a command and returns the raw reply. */
export async function tellRedis(redisUrl: string, command: readonly string[]): Promise<string> {
  const socket = await connectTo(redisUrl);
  socket.write(written(command) + written(['QUIT']));
  let reply = '';
  for await (const part of socket) reply += part;
  if (reply.startsWith('-')) throw new Error(`Redis refused ${command[0]}.`);
  return reply;
}

export interface RedisWatch {
  /** All commands since the start of the watch, with their arguments. */
  seen(): Place;
  stop(): void;
}

/** Monitors all commands, because values with a short lifetime would not be found later. */
export async function watchRedis(redisUrl: string): Promise<RedisWatch> {
  const socket = await connectTo(redisUrl);
  let heard = '';
  socket.on('data', (part) => {
    heard += part;
  });
  // Redis may be stopped before the watch.
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
  // latin1 keeps arbitrary bytes.
  socket.setEncoding('latin1');
  await once(socket, 'connect');
  return socket;
}

function written(command: readonly string[]): string {
  const parts = command.map((part) => `$${Buffer.byteLength(part)}\r\n${part}\r\n`);
  return `*${command.length}\r\n${parts.join('')}`;
}
