import { collectPath, renewLoggerKey } from '@pointgate/contract/analytics.ts';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../platform/errors.ts';
import { publicRoute, requireSite } from '../platform/http.ts';
import { log } from '../platform/log.ts';
import { networkOf } from '../platform/network.ts';
import { type AnalyticsContext, collect, keyOfDevice } from './analytics.ts';

/** High enough for mobile networks, in which a whole city may share an address. */
export const batchesPerNetwork = { max: 1_200, seconds: 60 };
const keysPerNetwork = { max: 300, seconds: 60 };

const bytesMax = 64 * 1024;

// Only for debugging: a beacon does not see the response.
const statuses = {
  taken: 204,
  malformed: 400,
  stale: 400,
  future: 400,
  wrong_site: 400,
  wrong_key: 401,
  wrong_signature: 401,
  too_large: 413,
  no_room: 429,
} as const;

export function registerAnalyticsRoutes(
  app: FastifyInstance,
  context: AnalyticsContext & { brandOf: (siteId: string) => Promise<string> },
): void {
  publicRoute(app, renewLoggerKey, async ({ body, site, request }) => {
    const key = `logger-key:network:${networkOf(request.ip)}`;
    if (!(await context.limits.take({ key, ...keysPerNetwork }))) throw new AppError('SystemBusy');
    const made = keyOfDevice(context, { siteId: site.siteId, did: body.did });
    if (made === undefined) throw new AppError('NotFound');
    return made;
  });

  // In a scope of its own for the content type parser: a closing page can only send text, and the
  // signature covers the text.
  app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      ['text/plain', 'application/json'],
      { parseAs: 'buffer' },
      (_request, body, parsed) => parsed(null, body),
    );
    scope.post(collectPath, { bodyLimit: bytesMax }, async (request, reply) => {
      const { siteId } = await requireSite(app, request);
      reply.header('cache-control', 'no-store');
      const network = networkOf(request.ip);
      const key = `collect:network:${network}`;
      if (!(await context.limits.take({ key, ...batchesPerNetwork }))) {
        return await reply.status(429).send();
      }
      const { body } = request;
      const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
      const site = { siteId, brandId: await context.brandOf(siteId) };
      const outcome = await collect(context, { bytes, site, network });
      if (outcome !== 'taken') log.warn({ siteId, reason: outcome }, 'refused a batch of events');
      return await reply.status(statuses[outcome]).send();
    });
    done();
  });
}
