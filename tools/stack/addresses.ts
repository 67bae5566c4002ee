import { freePort } from '../process/free-port.ts';
import { paymentProviders } from './payment-providers.ts';

/**
 * demo serves the built portal; dev serves its sources and reloads changes; bare serves no pages,
 * for callers without a browser.
 */
export type StackMode = 'demo' | 'dev' | 'bare';

export type Addresses = {
  portal: string;
  /** The address of the first api. */
  api: string;
  apis: string[];
  /** The sandbox services. */
  sandbox: Record<SandboxService, string>;
  /** The SMTP address of the mail server; mails can be read at its sandbox address. */
  smtp: string;
  /** The TLS address of PayPal's API; payers use its sandbox address. */
  paypalApi: string;
};

export const sandboxServices = [...paymentProviders, 'game', 'mail', 'sms', 'identity'] as const;
export type SandboxService = (typeof sandboxServices)[number];

/**
 * Addresses for all listeners, chosen before anything starts, because the programs need each
 * other's addresses. The shop is at `localhost` and the sandbox at `127.0.0.1`: different sites for
 * a browser, as in production, so that cookies behave the same on the way to a provider and back.
 */
export async function chooseAddresses(input: {
  mode: StackMode;
  preferredPorts: readonly number[];
  apis: number;
}): Promise<Addresses> {
  const portalPort = await freePort(input.preferredPorts);
  const taken = new Set([portalPort]);
  const another = async (): Promise<number> => {
    const port = await freePort();
    if (taken.has(port)) return another();
    taken.add(port);
    return port;
  };
  const portal = `http://localhost:${portalPort}`;
  // The api serves the portal itself, except in dev, where Vite is in front of it.
  const api = input.mode === 'dev' ? `http://localhost:${await another()}` : portal;
  const apis = [api];
  while (apis.length < input.apis) apis.push(`http://localhost:${await another()}`);
  const outside = async (scheme = 'http') => `${scheme}://127.0.0.1:${await another()}`;
  const sandbox = {
    stripe: await outside(),
    paypal: await outside(),
    wechatpay: await outside(),
    alipay: await outside(),
    adyen: await outside(),
    game: await outside(),
    mail: await outside(),
    sms: await outside(),
    identity: await outside(),
  };
  const others = { smtp: await outside('smtp'), paypalApi: await outside('https') };
  return { portal, api, apis, sandbox, ...others };
}
