import { freePort } from '../process/free-port.ts';

export type Addresses = { portal: string; api: string; stripe: string; game: string };

/**
 * Addresses for everything that listens, chosen before anything starts, because the parts need each
 * other's. The shop is `localhost` and the outside world `127.0.0.1`: two sites to a browser, as
 * they are in real life, so a cookie that would not survive the way to the provider and back does
 * not survive it here either.
 */
export async function chooseAddresses(input: {
  mode: 'demo' | 'dev';
  preferredPorts: readonly number[];
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
  return {
    portal,
    // The demo serves the built portal from the api; in development Vite stands before it.
    api: input.mode === 'demo' ? portal : `http://localhost:${await another()}`,
    stripe: `http://127.0.0.1:${await another()}`,
    game: `http://127.0.0.1:${await another()}`,
  };
}
