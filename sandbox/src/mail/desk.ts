import { createHmac, timingSafeEqual } from 'node:crypto';
import { nullable, object, type ReadBy, text, whole } from '../platform/shape.ts';

// Simulates a third-party customer service program. It shares a secret with the shop and verifies
// the token of a link by itself: HS256, this desk as its audience, and not expired.

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

/** The verified claims of a link, or the reason why it is refused. */
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
