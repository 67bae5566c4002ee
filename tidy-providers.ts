import { posix } from 'node:path';
import type { Rule } from './tidy-rules.ts';

// Every payment provider has the same file names for the same responsibilities, on both sides. What they are
// for is in docs/how-to/add-a-provider.md.

/** The files of an adapter: `server/src/money/psp/<provider>/`. */
export const adapterFiles = [
  'options',
  'client',
  'sdk',
  'ids',
  'money',
  'create-payment',
  'payments',
  'refunds',
  'disputes',
  'webhooks',
  'webhook-subjects',
  'signature',
  'settlement',
  'settlement-lines',
  'balance-lines',
  'bill-text',
  // Needed by one provider so far.
  'certificates',
  'lists',
  'orders',
] as const;

/** The files of a sandbox: `sandbox/src/<provider>/`. */
export const sandboxFiles = [
  'server',
  'provider',
  'schema',
  'rows',
  'records',
  'overview',
  'failure',
  'ids',
  'money',
  'times',
  'call',
  'authorization',
  'signature',
  'api.routes',
  'payments',
  'payment-params',
  'paying',
  'objects',
  'refunds',
  'disputes',
  'events',
  'webhook-sender',
  'pay-page',
  'pay.routes',
  'movements',
  'payouts',
  'settlement',
  'settlement-plan',
  'settlement-lines',
  'settlement-text',
  'balance-text',
  'audit.routes',
  'control.routes',
  'money-control.routes',
  // Needed by one provider so far. Alipay:
  'gbk',
  'zip',
  // PayPal:
  'captures',
  'certificates',
  // Stripe:
  'expanding',
  'form',
  'idempotency',
  'intents',
  'lists',
  'money.routes',
  'params',
  'refund-params',
  'report-files',
  'report-params',
  'report.routes',
  'reports',
  // WeChat Pay:
  'bridge',
  'jsapi',
] as const;

/** Tests of more than one file. */
const testTopics = ['webhooks', 'unknown-outcomes', 'money-back', 'settlement-parts'];

const servicesBesideProviders = ['game', 'identity', 'mail', 'sms'];

function listFor(folder: string): readonly string[] | undefined {
  const [, adapter] = /^server\/src\/money\/psp\/([^/]+)$/.exec(folder) ?? [];
  if (adapter !== undefined) return adapter === 'test' ? undefined : adapterFiles;
  const [, sandbox] = /^sandbox\/src\/([^/]+)$/.exec(folder) ?? [];
  if (sandbox === undefined || sandbox === 'platform') return undefined;
  return servicesBesideProviders.includes(sandbox) ? undefined : sandboxFiles;
}

export const providersHaveTheSameFiles: Rule = ({ path }) => {
  const listed = listFor(posix.dirname(path));
  if (listed === undefined) return [];
  const [, name = '', test] = /^(.*?)((?:\.db)?\.test)?\.ts$/.exec(posix.basename(path)) ?? [];
  const names = listed.map((file) => (test === undefined ? file : file.replace('.routes', '')));
  const isListed = names.includes(name) || (test !== undefined && testTopics.includes(name));
  return isListed ? [] : [`${path} is no file of a payment provider`];
};
