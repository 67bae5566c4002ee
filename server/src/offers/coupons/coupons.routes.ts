import { couponList } from '@pointgate/contract/coupons.ts';
import type { FastifyInstance } from 'fastify';
import type { Db } from '../../platform/db.ts';
import { playerRoute } from '../../platform/http.ts';
import { listCoupons } from './coupons.ts';

/** The coupon calls of players, each limited to the player's own coupons. */
export function registerCouponRoutes(app: FastifyInstance, { db }: { db: Db }): void {
  playerRoute(app, couponList, async ({ body, player, locale }) => ({
    coupons: await listCoupons(db, { ...player, ...body, gameId: body.gameId ?? null }, locale),
  }));
}
