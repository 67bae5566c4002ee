import type { FastifyInstance } from 'fastify';
import type Provider from 'oidc-provider';
import { originOf } from '../platform/program.ts';
import { bodyText } from '../platform/requests.ts';
import { choosePage } from './choose-page.ts';
import { type IssuerName, issuerNames, issuers } from './issuers.ts';
import { createIssuer } from './oidc.ts';
import { findPerson } from './people.ts';
import type { World } from './world.ts';

/** The OpenID issuers, and the page on which a test person is chosen. */
export function registerOidcRoutes(app: FastifyInstance, world: World): void {
  const opened: Partial<Record<IssuerName, Provider>> = {};
  // The issuer identifier is its URL, which is known only once the program listens.
  const issuerOf = (name: IssuerName): Provider => {
    const provider =
      opened[name] ?? createIssuer(world, { name, issuer: `${originOf(app)}/${name}` });
    opened[name] = provider;
    return provider;
  };

  app.addHook('onRequest', async (request, reply) => {
    const [, name, rest = ''] = /^\/(\w+)(\/.*)$/.exec(request.url) ?? [];
    const issuer = issuerNames.find((known) => known === name);
    if (issuer === undefined || rest.startsWith('/choose/')) return;
    reply.hijack();
    const { raw } = request;
    Object.assign(raw, { originalUrl: raw.url, url: rest });
    await issuerOf(issuer).callback()(raw, reply.raw);
  });

  for (const name of issuerNames) {
    app.get(`/${name}/choose/:uid`, async (request, reply) => {
      const { params } = await issuerOf(name).interactionDetails(request.raw, reply.raw);
      const page = choosePage({
        provider: issuers[name].title,
        client: String(params.client_id),
        action: request.url,
        fields: {},
      });
      return reply.type('text/html; charset=utf-8').send(page);
    });
    app.post(`/${name}/choose/:uid`, async (request, reply) => {
      const person = findPerson(new URLSearchParams(bodyText(request)).get('person') ?? '');
      reply.hijack();
      await issuerOf(name).interactionFinished(
        request.raw,
        reply.raw,
        person === undefined
          ? { error: issuers[name].cancelled }
          : {
              login: { accountId: issuers[name].subjectOf(person), remember: false },
              select_account: {},
            },
        { mergeWithLastSubmission: false },
      );
    });
  }
}
