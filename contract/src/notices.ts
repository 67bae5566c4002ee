import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';

const NoticeToken = z.string().check(z.regex(/^[\w-]{22}\.[\w-]{43}$/));

export const secureAccount = endpoint({
  method: 'POST',
  path: '/api/user/secure',
  summary:
    'The owner of an account says that somebody else changed it: sessions end, later passkeys and the password are gone',
  access: 'public',
  body: z.strictObject({ token: NoticeToken }),
  reply: z.strictObject({
    /** The number of removed passkeys. */
    removed: z.int(),
  }),
  refusals: ['ForeignOrigin', 'NoticeExpired'],
});
