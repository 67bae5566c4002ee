import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';

export const serverTime = endpoint({
  method: 'GET',
  path: '/api/time',
  summary: 'Server time in seconds',
  access: 'public',
  body: z.strictObject({}),
  reply: z.strictObject({ ts: z.int() }),
  refusals: [],
});
