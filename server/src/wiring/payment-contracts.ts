import { z } from 'zod';

// Schemas of contracts with payment providers, including additional contracts with the same
// provider.

export const StripeContract = z.strictObject({
  secretKey: z.string().min(1),
  /** Two while a secret is rotated. */
  webhookSecrets: z.array(z.string().min(1)).min(1).max(2),
  apiBase: z.url().optional(),
});

export const PaypalContract = z.strictObject({
  clientId: z.string().min(1),
  clientSecret: z.string().min(1),
  environment: z.enum(['production', 'sandbox']),
  webhookIds: z.array(z.string().min(1)).min(1).max(2),
  merchantId: z.string().min(1).optional(),
  route: z
    .strictObject({ host: z.string(), port: z.int(), rootCertificate: z.string() })
    .optional(),
});

export const WechatpayContract = z.strictObject({
  appId: z.string().min(1),
  mchId: z.string().regex(/^\d{8,32}$/),
  merchantSerial: z.string().regex(/^[0-9A-F]{8,64}$/),
  merchantPrivateKey: z.string().startsWith('-----BEGIN'),
  platformKeys: z.record(z.string().min(1), z.string().startsWith('-----BEGIN')),
  answerSerial: z.string().min(1),
  apiV3Keys: z.array(z.string().length(32)).min(1).max(2),
  notifyUrl: z.url().refine((url) => new URL(url).search === '', 'has a query'),
  apiBase: z.url().optional(),
});

export const AlipayContract = z.strictObject({
  appId: z.string().regex(/^\d{16}$/),
  sellerId: z.string().regex(/^2088\d{12}$/),
  privateKey: z.string().startsWith('-----BEGIN'),
  alipayPublicKeys: z.array(z.string().startsWith('-----BEGIN')).min(1).max(2),
  notifyUrl: z.url().refine((url) => new URL(url).search === '', 'has a query'),
  desktop: z.enum(['page', 'qr']).default('page'),
  gateway: z.url().optional(),
});

export const AdyenContract = z.strictObject({
  apiKey: z.string().min(1),
  merchantAccount: z.string().regex(/^[^:\s/]+$/),
  environment: z.enum(['test', 'live']),
  liveUrlPrefix: z.string().min(1).optional(),
  hmacKeys: z
    .array(z.string().regex(/^[0-9a-fA-F]{64}$/))
    .min(1)
    .max(2),
  apiBase: z.url().optional(),
});

export const NamedContract = z.discriminatedUnion('provider', [
  StripeContract.extend({ provider: z.literal('stripe') }),
  PaypalContract.extend({ provider: z.literal('paypal') }),
  WechatpayContract.extend({ provider: z.literal('wechatpay') }),
  AlipayContract.extend({ provider: z.literal('alipay') }),
  AdyenContract.extend({ provider: z.literal('adyen') }),
]);
export type NamedContract = z.output<typeof NamedContract>;

/**
 * By name. A name begins with its provider's name and is longer, so it cannot be confused with the
 * contract in a provider's own setting or with the method epoint.
 */
export const NamedContracts = z
  .record(
    z
      .string()
      .max(40)
      .regex(/^[a-z]+(-[a-z\d]+)+$/),
    NamedContract,
  )
  .superRefine((contracts, context) => {
    for (const [name, contract] of Object.entries(contracts)) {
      for (const { path, message } of misnamed(name, contract)) {
        context.addIssue({ code: 'custom', path: [name, ...path], message });
      }
    }
  });

/** What does not fit the name of a contract that is longer than its provider's. */
export function misnamed(name: string, contract: NamedContract) {
  const complaints: { path: string[]; message: string }[] = [];
  const { provider } = contract;
  if (!name.startsWith(`${provider}-`)) {
    complaints.push({ path: [], message: `has a name that does not begin with ${provider}-` });
  }
  // The contract at another webhook path would refuse the notifications.
  if ('notifyUrl' in contract && !contract.notifyUrl.endsWith(`/webhooks/${name}`)) {
    complaints.push({ path: ['notifyUrl'], message: `does not lead to /webhooks/${name}` });
  }
  return complaints;
}

/** The settings that contain contracts. */
interface ContractSettings {
  STRIPE_SECRET_KEY?: string | undefined;
  STRIPE_WEBHOOK_SECRETS?: string[] | undefined;
  STRIPE_API_BASE?: string | undefined;
  PAYPAL?: z.output<typeof PaypalContract> | undefined;
  WECHATPAY?: z.output<typeof WechatpayContract> | undefined;
  ALIPAY?: z.output<typeof AlipayContract> | undefined;
  ADYEN?: z.output<typeof AdyenContract> | undefined;
  CONTRACTS: Record<string, NamedContract>;
}

/** All contracts of the settings. A contract in a setting of its own is named after its provider. */
export function contractsOf(settings: ContractSettings): (NamedContract & { name: string })[] {
  const { PAYPAL, WECHATPAY, ALIPAY, ADYEN } = settings;
  const {
    STRIPE_SECRET_KEY: secretKey,
    STRIPE_WEBHOOK_SECRETS: webhookSecrets,
    STRIPE_API_BASE: apiBase,
  } = settings;
  const own: (NamedContract | undefined)[] = [
    secretKey === undefined || webhookSecrets === undefined
      ? undefined
      : { provider: 'stripe', secretKey, webhookSecrets, apiBase },
    PAYPAL && { provider: 'paypal', ...PAYPAL },
    WECHATPAY && { provider: 'wechatpay', ...WECHATPAY },
    ALIPAY && { provider: 'alipay', ...ALIPAY },
    ADYEN && { provider: 'adyen', ...ADYEN },
  ];
  return [
    ...own
      .filter((contract) => contract !== undefined)
      .map((contract) => ({ ...contract, name: contract.provider })),
    ...Object.entries(settings.CONTRACTS).map(([name, contract]) => ({ ...contract, name })),
  ];
}

/** Whether the account takes only test payments. */
export function isTestAccount(contract: NamedContract): boolean {
  const settings = Object.entries(contract);
  const isPlayed = settings.some(([key, value]) => hosts.has(key) && value !== undefined);
  return isPlayed || isInTestMode(contract);
}

/** Whether the provider considers the account a test account. */
export function isInTestMode(contract: NamedContract): boolean {
  switch (contract.provider) {
    case 'stripe':
      return /^(sk|rk)_test/.test(contract.secretKey);
    case 'paypal':
      return contract.environment === 'sandbox';
    case 'adyen':
      return contract.environment === 'test';
    case 'wechatpay':
    case 'alipay':
      return false;
  }
}

/**
 * Whether a payment by the contract may be of real money. A live key does even with the address of
 * a sandbox: it is a secret that a rehearsal must not have.
 */
export function takesRealMoney(contract: NamedContract): boolean {
  switch (contract.provider) {
    case 'stripe':
      if (isInTestMode(contract)) return false;
      return /^(sk|rk)_live/.test(contract.secretKey) || isOf(contract.apiBase, 'stripe.com');
    case 'paypal':
    case 'adyen':
      return !isInTestMode(contract);
    case 'wechatpay':
      return isOf(contract.apiBase, 'qq.com');
    case 'alipay':
      return isOf(contract.gateway, 'alipay.com');
  }
}

/** Whether the address leads to the provider's own domain, as it does if none is set. */
function isOf(address: string | undefined, domain: string): boolean {
  if (address === undefined) return true;
  return `.${URL.parse(address)?.hostname}`.endsWith(`.${domain}`);
}

const hosts = new Set(['apiBase', 'route', 'gateway']);

export const replacedHosts = (contract: object = {}) =>
  Object.keys(contract).filter((key) => hosts.has(key));

/** Settings that replace a provider's own host; Stripe has a setting of its own for that. */
export function paymentsElsewhere(settings: ContractSettings): string[][] {
  const { PAYPAL, WECHATPAY, ALIPAY, ADYEN, CONTRACTS } = settings;
  const own = Object.entries({ PAYPAL, WECHATPAY, ALIPAY, ADYEN });
  const named = Object.entries(CONTRACTS);
  return [
    ...own.flatMap(([name, contract]) => replacedHosts(contract).map((key) => [name, key])),
    ...named.flatMap(([name, contract]) =>
      replacedHosts(contract).map((key) => ['CONTRACTS', name, key]),
    ),
  ];
}

/**
 * Names of contracts whose account another contract has too. Each would claim the other's payments
 * during reconciliation, and a copied contract that was meant for another account would be paid
 * into the wrong one.
 */
export function accountsTwice(settings: ContractSettings): string[] {
  const seen = new Set<string>();
  return contractsOf(settings).flatMap((contract) => {
    const account = accountOf(contract);
    if (seen.has(account)) return [contract.name];
    seen.add(account);
    return [];
  });
}

/** The account at the provider, by what the provider tells accounts apart. */
export function accountOf(contract: NamedContract): string {
  return `${contract.provider} ${accountIdOf(contract)}`;
}

function accountIdOf(contract: NamedContract): string {
  switch (contract.provider) {
    case 'stripe':
      return contract.secretKey;
    case 'paypal':
      return contract.clientId;
    case 'wechatpay':
      return contract.mchId;
    case 'alipay':
      return contract.appId;
    case 'adyen':
      return contract.merchantAccount;
  }
}

/**
 * Whether the money of the two certainly goes to different accounts. Keys of Stripe and clients of
 * PayPal are replaced without changing the account.
 */
export function isOtherAccount(one: NamedContract, other: NamedContract): boolean {
  const [before, after] = [payeeOf(one), payeeOf(other)];
  const isMoved = before !== undefined && after !== undefined && before !== after;
  return one.provider !== other.provider || isMoved;
}

function payeeOf(contract: NamedContract): string | undefined {
  switch (contract.provider) {
    case 'stripe':
      return undefined;
    case 'paypal':
      return contract.merchantId;
    case 'wechatpay':
      return contract.mchId;
    case 'alipay':
      return contract.sellerId;
    case 'adyen':
      return contract.merchantAccount;
  }
}
