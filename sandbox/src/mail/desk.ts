import { createHmac, timingSafeEqual } from 'node:crypto';
import { nullable, object, type ReadBy, text, whole } from '../platform/shape.ts';

// Customer service is another company's program. It knows the shop by a secret that both have, and
// checks by itself whether a link is the shop's: HS256, for this desk, and not too old.

const claims = object({
  iss: text,
  aud: text,
  sub: text,
  jti: text,
  iat: whole,
  exp: whole,
  gameAccountId: nullable(text),
  locale: text,
  paymentId: nullable(text),
});
export type Question = ReadBy<typeof claims>;

/** Who asks and about what, or why the link is none of the shop's. */
export function readLink(
  token: string,
  desk: { secret: string; origin: string; now: number },
): Question | string {
  const [head = '', body = '', signature = ''] = token.split('.');
  const right = createHmac('sha256', desk.secret).update(`${head}.${body}`).digest();
  const sent = Buffer.from(signature, 'base64url');
  if (sent.length !== right.length || !timingSafeEqual(sent, right)) {
    return 'It was not made by the shop.';
  }
  const question = claims(JSON.parse(Buffer.from(body, 'base64url').toString()), 'link');
  if (question.aud !== desk.origin) return 'It was made for another desk.';
  return question.exp > desk.now / 1000 ? question : 'It is too old. Please open it anew.';
}
