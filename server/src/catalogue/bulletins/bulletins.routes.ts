import {
  bulletinDetail,
  bulletinList,
  bulletinTop,
  pageContent,
} from '@pointgate/contract/bulletins.ts';
import type { FastifyInstance } from 'fastify';
import type { Db } from '../../platform/db.ts';
import { type Call, publicRoute } from '../../platform/http.ts';
import { listBulletins, pinnedBulletins, readBulletin, readPage } from './bulletins.ts';

/** Public, because players read the agreement before they sign in. */
export function registerBulletinRoutes(
  app: FastifyInstance,
  { db, now }: { db: Db; now: () => number },
): void {
  const readerOf = ({ site, locale }: Pick<Call<unknown>, 'site' | 'locale'>) => ({
    siteId: site.siteId,
    locale,
    at: new Date(now()),
  });
  publicRoute(app, bulletinList, (call) => listBulletins(db, readerOf(call), call.body));
  publicRoute(app, bulletinTop, async (call) => ({
    bulletins: await pinnedBulletins(db, readerOf(call)),
  }));
  publicRoute(app, bulletinDetail, (call) => readBulletin(db, readerOf(call), call.address.id));
  publicRoute(app, pageContent, (call) => readPage(db, readerOf(call), call.address.id));
}
