import type { FastifyInstance } from 'fastify';
import { registerBillControl } from '../platform/bill-control.routes.ts';
import { registerCommonControl } from '../platform/control.routes.ts';
import { noBillPlan } from '../platform/daily-bills.ts';
import { allRecords } from '../platform/records.ts';
import { explainMalformedCalls } from '../platform/requests.ts';
import { registerScheduledWebhooks } from '../platform/webhook-control.routes.ts';
import { registerAuditRoutes } from './audit.routes.ts';
import { WechatFailure } from './failure.ts';
import { registerMoneyControlRoutes } from './money-control.routes.ts';
import { overview } from './overview.ts';
import {
  faultReader,
  keyPlanReader,
  noKeyPlan,
  type Provider,
  providersRetrySeconds,
  webhookPlanReader,
} from './provider.ts';
import { recordKinds } from './records.ts';
import { settlementPlanReader } from './settlement-plan.ts';

/** The control API, with which tests and people read the records and plan faults. */
export function registerControlRoutes(app: FastifyInstance, provider: Provider): void {
  explainMalformedCalls(app, (error) => (error instanceof WechatFailure ? error : undefined));
  registerAuditRoutes(app, provider);
  registerMoneyControlRoutes(app, provider);

  registerCommonControl(app, provider, {
    service: 'wechatpay',
    faultReader,
    webhookPlanReader,
    settlementPlanReader,
    overview: () => overview(provider),
    records: (limit) => allRecords(provider.db, recordKinds, limit),
    reset: () => {
      provider.keyPlan = noKeyPlan;
      provider.billPlan = noBillPlan;
      provider.settings.retrySeconds = providersRetrySeconds;
    },
  });
  registerScheduledWebhooks(app, provider, webhookPlanReader);
  registerBillControl(app, provider, keyPlanReader);
}
