import { redeemCode } from '@pointgate/contract/redeem.ts';
import type { FastifyInstance } from 'fastify';
import { playerRoute } from '../../platform/http.ts';
import { networkOf } from '../../platform/network.ts';
import { type RedeemContext, redeemFor } from './redeeming.ts';

export function registerRedeemRoutes(app: FastifyInstance, context: RedeemContext): void {
  playerRoute(app, redeemCode, async ({ body, player, locale, request }) => {
    return await redeemFor(context, { ...body, ...player, locale, network: networkOf(request.ip) });
  });
}
