import type { FastifyInstance } from 'fastify';
import { overviewPage } from '../platform/overview-page.ts';
import { controlBody, explainMalformedCalls } from '../platform/requests.ts';
import { listOf, name, object } from '../platform/shape.ts';
import { byIssuer, issuerNames, issuers } from './issuers.ts';
import { facebookIdOf, openIdOf, people } from './people.ts';
import { faultBody, type World } from './world.ts';

const returnAddressesBody = object({ addresses: listOf(name) });

/** The control API, with which tests and people read the records and plan faults. */
export function registerControlRoutes(app: FastifyInstance, world: World): void {
  explainMalformedCalls(app);

  app.get('/__sandbox', (_request, reply) =>
    reply.type('text/html; charset=utf-8').send(overview(world)),
  );
  app.get('/__sandbox/health', () => ({ ok: true, service: 'identity' }));
  app.get('/__sandbox/records', () => ({ calls: world.records.toReversed() }));
  app.get('/__sandbox/people', () => ({
    people: people.map((person) => ({
      ...person,
      ...byIssuer((name) => issuers[name].subjectOf(person)),
      facebook: facebookIdOf(person, world.clients.facebook.appId),
      openIds: Object.fromEntries(
        Object.keys(world.clients.wechat).map((appId) => [appId, openIdOf(person, appId)]),
      ),
    })),
  }));

  /** Registers the redirect URIs of the shops. */
  app.post('/__sandbox/return-addresses', (request) => {
    const { addresses } = controlBody(request, returnAddressesBody);
    for (const address of addresses) world.returnAddresses.add(address);
    return { addresses: [...world.returnAddresses] };
  });
  app.get('/__sandbox/faults', () => ({ faults: world.faults.list() }));
  app.post('/__sandbox/faults', (request) => {
    const fault = controlBody(request, faultBody);
    world.faults.add({ ...fault, times: fault.times ?? 1 });
    return { faults: world.faults.list() };
  });
  app.post('/__sandbox/release', () => {
    world.hanging.letGo();
    return { ok: true };
  });
  app.post('/__sandbox/expire-codes', () => {
    for (const expire of world.expireCodes) expire();
    return { ok: true };
  });
  app.post('/__sandbox/reset', () => {
    world.faults.clear();
    world.records.length = 0;
    return { ok: true };
  });
}

function overview(world: World): string {
  const titles = issuerNames.map((name) => issuers[name].title);
  return overviewPage({
    title: 'Sandbox identity providers',
    lead: `${titles.join(', ')}, Facebook and WeChat, as far as a shop needs them. Newest first.`,
    facts: [
      ['People', people.length],
      ['Return addresses', world.returnAddresses.size],
      ['Faults waiting', world.faults.list().length],
    ],
    tables: [
      {
        title: 'Calls',
        columns: ['Time', 'Provider', 'Call', 'Status', 'Sent'],
        rows: world.records
          .toReversed()
          .slice(0, 50)
          .map(({ at, provider, call, status, sent }) => [
            at,
            provider,
            call,
            status,
            sent.join(', '),
          ]),
      },
      {
        title: 'People',
        columns: ['Name', ...titles, 'WeChat union id'],
        rows: people.map((person) => [
          person.name,
          ...issuerNames.map((name) => issuers[name].subjectOf(person)),
          person.unionId,
        ]),
      },
    ],
  });
}
