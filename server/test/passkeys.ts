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

/** Begins a passkey, has the device make it and hands it in. The reply is the last one there was. */
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

/** What the device has signed for a browser that begins to sign in, and the browser's cookie. */
export async function beginSignIn(
  shop: TestShop,
  { device, lies = {} }: { device: Authenticator; lies?: Lies },
): Promise<{ response: Assertion; browser: string }> {
  const started = await send(shop, startPasskeyLogin.path);
  if (started.cookie === undefined) throw new Error('the browser was not given a cookie');
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

/** What the device has signed for a session that begins to step up. */
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
