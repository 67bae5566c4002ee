import { supportLink } from '@pointgate/contract/support.ts';
import type { FastifyInstance } from 'fastify';
import { playerRoute } from '../../platform/http.ts';
import { linkToSupport, type SupportContext } from './support.ts';

export function registerSupportRoutes(app: FastifyInstance, context: SupportContext): void {
  playerRoute(app, supportLink, ({ player, locale, address }) =>
    linkToSupport(context, { ...player, locale, paymentId: address.paymentId }),
  );
}
