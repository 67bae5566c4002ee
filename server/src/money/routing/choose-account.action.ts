import { PaymentMethod } from '@pointgate/contract/orders.ts';
import { z } from 'zod';
import { operatorAction, refuse } from '../../platform/operator-action.ts';
import { changeContract, sitesIn } from '../../publisher/sites/sites.ts';
import { isContractFor } from './contracts.ts';
import { listMethods } from './routing.ts';

export const action = operatorAction({
  name: 'site-contract',
  summary: 'Chooses the account with a provider that a site is paid into by a method.',
  details:
    '`default` is the account named after the provider. Payments that have begun keep theirs.',
  examples: ['site-contract other card stripe-eu --by ines --reason "new company"'],
  permission: 'methods.switch',
  input: z.strictObject({
    siteId: z.string(),
    method: z.string(),
    account: z.string().describe('account, or default'),
  }),
  positionals: ['siteId', 'method', 'account'],
  needsReason: true,
  needsStepUp: true,
  effect: 'changes',
  run: async (tx, { siteId, method: typed, account }, { by, reason, at, parts: { routing } }) => {
    const method = PaymentMethod.safeParse(typed).data ?? refuse(`there is no method ${typed}`);
    if (method === 'epoint') return refuse('points are taken by the shop itself');
    const contract = account === 'default' ? null : account;
    if (contract !== null && !isContractFor(await routing.providers(), contract, method)) {
      refuse(`there is no contract ${contract} for ${method}`);
    }
    const isThere = await changeContract(tx, { siteId, method, contract, by, reason, at });
    return isThere ? await sitesIn(tx) : refuse(`there is no site ${siteId}`);
  },
  answer: async ({ routing }, { siteId }, sites) => {
    const { methods } = await listMethods(routing, sites);
    return methods.filter((each) => each.siteId === siteId);
  },
});
