import * as z from 'zod/mini';
import { EmailAddress, MessageCode, PhoneNumber } from './accounts.ts';
import { methodsReturningTo } from './sign-in-providers.ts';

// Browsers send these values and never validate them, so they are apart from the code that browsers
// load.

/** As the player typed it; the rules for new passwords are in `passwords.ts`. */
const TypedPassword = z.string().check(z.minLength(1), z.maxLength(128));

/** The code that a provider adds to the return address. */
const ReturnedCode = z.string().check(z.minLength(1), z.maxLength(2048));
const ReturnedState = z.string().check(z.regex(/^[\w-]{16,128}$/));

/**
 * The encrypted payload of a sign-in. That of a provider which posts a form goes to the server
 * without the portal, and so is not here.
 */
export const Credentials = z.discriminatedUnion('method', [
  z.strictObject({
    method: z.literal('LOGIN_NAME_PASSWD_AUTH'),
    loginName: z.string().check(z.minLength(1), z.maxLength(64)),
    password: TypedPassword,
  }),
  z.strictObject({
    method: z.literal('EMAIL_PASSWORD_AUTH'),
    email: EmailAddress,
    password: TypedPassword,
  }),
  z.strictObject({
    method: z.literal('MOBILE_PASSWORD_AUTH'),
    phone: PhoneNumber,
    password: TypedPassword,
  }),
  z.strictObject({ method: z.literal('MOBILE_AUTH'), phone: PhoneNumber, code: MessageCode }),
  z.strictObject({
    method: z.literal(methodsReturningTo('page')),
    code: ReturnedCode,
    state: ReturnedState,
  }),
  z.strictObject({
    method: z.literal(methodsReturningTo('start')),
    type: z.literal('WeChat'),
    code: ReturnedCode,
    state: ReturnedState,
  }),
]);
export type Credentials = z.output<typeof Credentials>;
export type CredentialsOf<Method extends Credentials['method']> = WithMethod<Credentials, Method>;

type WithMethod<Each extends { method: string }, Method> = Each extends unknown
  ? Method extends Each['method']
    ? Each
    : never
  : never;
