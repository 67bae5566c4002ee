import { once } from 'node:events';
import { createServer } from 'node:http';

/** A provider without payments, for which these events count as acknowledged. */
export async function startProviderStub(
  eventIds: readonly string[],
): Promise<{ url: string; stop(): void }> {
  const records = {
    charges: [],
    refunds: [],
    disputes: [],
    acknowledged: eventIds.map((eventId) => ({ eventId })),
    next: null,
    counts: { events: eventIds.length, webhookDeliveries: eventIds.length },
  };
  const server = createServer((_request, response) => response.end(JSON.stringify(records)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
