import {
  type Assertion,
  finishPasskey,
  finishPasskeyLogin,
  finishStepUp,
  listPasskeys,
  startPasskey,
  startPasskeyLogin,
  startStepUp,
} from '@pointgate/contract/passkeys.ts';
import type { Authenticator, Lies } from './authenticator.ts';
import { type Reply, send, type TestShop } from './shop.ts';

/** Starts the creation of a passkey, creates it and submits it. Returns the last reply. */
export async function addPasskey(
  shop: TestShop,
  input: { cookie: string; device: Authenticator; name?: string; lies?: Lies },
): Promise<Reply> {
  const { cookie, device, name = 'My phone', lies = {} } = input;
  const started = await send(shop, startPasskey.path, { cookie });
  if (!started.isSuccess) return started;
  const { options } = startPasskey.reply.parse(started.data);
  const response = device.make(options, lies);
  return await send(shop, finishPasskey.path, { cookie, body: { response, name } });
}

/** A signed assertion for a new sign-in, and the cookie of its browser. */
export async function beginSignIn(
  shop: TestShop,
  { device, lies = {} }: { device: Authenticator; lies?: Lies },
): Promise<{ response: Assertion; browser: string }> {
  const started = await send(shop, startPasskeyLogin.path);
  if (started.cookie === undefined) throw new Error('the reply set no cookie');
  const { options } = startPasskeyLogin.reply.parse(started.data);
  return { response: device.show(options, lies), browser: started.cookie };
}

export function endSignIn(
  shop: TestShop,
  { response, browser }: { response: Assertion; browser?: string | undefined },
): Promise<Reply> {
  return send(shop, finishPasskeyLogin.path, { body: { response }, cookie: browser });
}

export async function signInWithPasskey(
  shop: TestShop,
  input: { device: Authenticator; lies?: Lies },
): Promise<Reply> {
  return await endSignIn(shop, await beginSignIn(shop, input));
}

/** A signed assertion for the step-up of a session. */
export async function beginStepUp(
  shop: TestShop,
  input: { cookie: string; device: Authenticator; lies?: Lies },
): Promise<Assertion> {
  const started = await send(shop, startStepUp.path, { cookie: input.cookie });
  const { options } = startStepUp.reply.parse(started.data);
  return input.device.show(options, input.lies);
}

export function endStepUp(
  shop: TestShop,
  { cookie, response }: { cookie: string; response: Assertion },
): Promise<Reply> {
  return send(shop, finishStepUp.path, { cookie, body: { response } });
}

export async function stepUpWithPasskey(
  shop: TestShop,
  input: { cookie: string; device: Authenticator; lies?: Lies },
): Promise<Reply> {
  const { cookie } = input;
  return await endStepUp(shop, { cookie, response: await beginStepUp(shop, input) });
}

export async function passkeysOf(shop: TestShop, cookie: string) {
  const { data } = await send(shop, listPasskeys.path, { cookie });
  return listPasskeys.reply.parse(data).passkeys;
}
