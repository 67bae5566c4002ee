import type { FastifyInstance } from 'fastify';
import { type BillPlan, billPlanReader } from './daily-bills.ts';
import { controlBody } from './requests.ts';
import type { Reader } from './shape.ts';

/** For providers with daily bills and with two signing keys: which bills there are, which key signs. */
export function registerBillControl<KeyPlan>(
  app: FastifyInstance,
  provider: { billPlan: BillPlan; keyPlan: KeyPlan },
  keyPlanReader: Reader<KeyPlan>,
): void {
  app.post('/__sandbox/keys', (request) => {
    provider.keyPlan = controlBody(request, keyPlanReader);
    return { plan: provider.keyPlan };
  });
  app.post('/__sandbox/bills', (request) => {
    provider.billPlan = controlBody(request, billPlanReader);
    return { plan: provider.billPlan };
  });
}
