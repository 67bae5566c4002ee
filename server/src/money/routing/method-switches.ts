import { PaymentMethod } from '@pointgate/contract/orders.ts';
import { z } from 'zod';
import type { Tx } from '../../platform/db.ts';
import { type OperatorParts, type Performed, refuse } from '../../platform/operator-action.ts';
import { sitesIn } from '../../publisher/sites/sites.ts';
import { listMethods, switchMethod } from './routing.ts';

/** The payment method to be switched, at one site or at all. */
export const Switched = z.strictObject({
  method: z.string(),
  site: z.string().optional().describe('siteId'),
});
type Switched = z.output<typeof Switched>;

export async function turnSwitch(
  tx: Tx,
  { method: typed, site }: Switched,
  { isOn, by, reason, at }: Performed & { isOn: boolean },
): Promise<void> {
  const method = PaymentMethod.safeParse(typed).data ?? refuse(`there is no method ${typed}`);
  const siteId = site ?? null;
  const isSite = siteId === null || (await sitesIn(tx)).some((site) => site.siteId === siteId);
  if (!isSite) refuse(`there is no site ${siteId}`);
  await switchMethod(tx, { method, siteId, isOn, by, reason, at });
}

/** The state of the method at each site. */
export async function stateOfMethod({ routing, sites }: OperatorParts, { method }: Switched) {
  const { methods } = await listMethods(routing, await sites.all());
  return methods.filter((each) => each.method === method);
}
