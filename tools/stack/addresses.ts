import { freePort } from '../process/free-port.ts';
import { paymentProviders } from './payment-providers.ts';

/**
 * demo serves the built portal; dev serves its sources and restarts what has changed; bare serves no
 * pages at all, for whoever makes the calls without a browser.
 */
export type StackMode = 'demo' | 'dev' | 'bare';

export type Addresses = {
  portal: string;
  /** The first one. */
  api: string;
  apis: string[];
  /** The world outside. */
  sandbox: Record<SandboxService, string>;
  /** Where the mail server takes mail; its own address is where mail can be read. */
  smtp: string;
  /** Where PayPal's API is behind TLS; its own address is where payers decide. */
  paypalApi: string;
};

export const sandboxServices = [...paymentProviders, 'game', 'mail', 'sms', 'identity'] as const;
export type SandboxService = (typeof sandboxServices)[number];

/**
 * Addresses for everything that listens, chosen before anything starts, because the parts need each
 * other's. The shop is `localhost` and the outside world `127.0.0.1`: two sites to a browser, as
 * they are in real life, so a cookie that would not survive the way to the provider and back does
 * not survive it here either.
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
  // Elsewhere the api itself serves the portal; in development Vite stands before it.
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
