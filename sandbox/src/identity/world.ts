import { randomBytes } from 'node:crypto';
import { createFaultPlan, type FaultPlan } from '../platform/fault-plan.ts';
import { createHanging, type Hanging } from '../platform/hanging.ts';
import {
  atLeast,
  json,
  object,
  oneOf,
  optional,
  type ReadBy,
  recordOf,
  text,
} from '../platform/shape.ts';
import type { IssuerClient } from './issuer.ts';
import { byIssuer, type IssuerName, issuerNames, issuers } from './issuers.ts';

const providers = [...issuerNames, ...(['facebook', 'wechat'] as const)];
export type ProviderName = (typeof providers)[number];

/** `hang` and `error` apply to the token request; the others change its answer. */
const faultKinds = [
  'hang',
  'error',
  'bad_signature',
  'wrong_nonce',
  'wrong_audience',
  'wrong_issuer',
  'expired',
  'other_app',
  'invalid_token',
  'other_person',
] as const;

export const faultBody = object({
  provider: oneOf(providers),
  kind: oneOf(faultKinds),
  times: optional(atLeast(1)),
  hangMs: optional(atLeast(1)),
});
export type Fault = ReadBy<typeof faultBody> & { times: number };
export type FaultKind = Fault['kind'];

/** Each kind of application has its own authorization page and is refused by the other one. */
const wechatKinds = ['official_account', 'website'] as const;
export type WechatKind = (typeof wechatKinds)[number];

/** The registered clients of each provider, with their secrets. */
export type Clients = {
  openid: Record<IssuerName, IssuerClient>;
  facebook: { appId: string; appSecret: string };
  wechat: Record<string, { secret: string; kind: WechatKind }>;
};

/** One token request, or one request that inspects a token. */
type CallRecord = {
  at: string;
  provider: ProviderName;
  call: string;
  status: number;
  /** The names of the parameters sent, without their values. */
  sent: string[];
};

/** An authorization code, or the token issued for it. */
export type Issued = {
  personId: string;
  clientId: string;
  returnAddress: string;
  scope: string;
  expiresAt: number;
  isUsed: boolean;
};

export type World = {
  clients: Clients;
  /** The registered redirect URIs. WeChat compares the host only. */
  returnAddresses: Set<string>;
  faults: FaultPlan<Fault>;
  records: CallRecord[];
  codes: Map<string, Issued>;
  tokens: Map<string, Issued>;
  /** Expires every unused code. */
  expireCodes: (() => void)[];
  hanging: Hanging;
  ending: AbortController;
};

export function createWorld(input: {
  clients: Clients;
  returnAddresses: readonly string[];
}): World {
  const codes = new Map<string, Issued>();
  const ending = new AbortController();
  return {
    clients: input.clients,
    returnAddresses: new Set(input.returnAddresses),
    faults: createFaultPlan<Fault>(),
    records: [],
    codes,
    tokens: new Map(),
    expireCodes: [
      () => {
        for (const code of codes.values()) code.expiresAt = 0;
      },
    ],
    hanging: createHanging(ending.signal),
    ending,
  };
}

const recordsMax = 1_000;

export function recordCall(world: World, record: Omit<CallRecord, 'at'>): void {
  world.records.push({ at: new Date().toISOString(), ...record });
  if (world.records.length > recordsMax) world.records.shift();
}

export function takeFault(
  world: World,
  provider: ProviderName,
  kinds: readonly FaultKind[],
): Fault | undefined {
  return world.faults.take((fault) => fault.provider === provider && kinds.includes(fault.kind));
}

export function newSecret(): string {
  return randomBytes(24).toString('base64url');
}

const clientsOf = {
  facebook: json(object({ appId: text, appSecret: text })),
  wechat: json(recordOf(object({ secret: text, kind: oneOf(wechatKinds) }))),
};

export function readClients(env: NodeJS.ProcessEnv): Clients {
  return {
    openid: byIssuer((name) => {
      const { client, setting } = issuers[name];
      return client(env[setting], setting);
    }),
    facebook: clientsOf.facebook(env.FACEBOOK_CLIENT, 'FACEBOOK_CLIENT'),
    wechat: clientsOf.wechat(env.WECHAT_CLIENTS, 'WECHAT_CLIENTS'),
  };
}
