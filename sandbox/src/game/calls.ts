import {
  atLeast,
  flag,
  listOf,
  name,
  nullable,
  object,
  oneOf,
  optional,
  type ReadBy,
  type Reader,
  ShapeError,
} from '../platform/shape.ts';

/** The reasons with which a game refuses a recharge or declines a delivery. */
export const reasons = [
  'role_not_found',
  'server_closed',
  'item_unavailable',
  'limit_reached',
  'region_not_allowed',
] as const;
export type Reason = (typeof reasons)[number];

const callNames = [
  'roles.query',
  'recharge.validate',
  'recharge.deliver',
  'recharge.revoke',
  'recharge.list',
] as const;
export type CallName = (typeof callNames)[number];

export const rolesBody = object({
  sandbox: flag,
  gameId: name,
  serverId: name,
  gameAccountId: name,
});

const item = object({ sku: name, quantity: atLeast(1) });

const items: Reader<ReadBy<typeof item>[]> = (value, at) => {
  const found = listOf(item)(value, at);
  if (found.length === 0 || found.length > 100) throw new ShapeError(`${at} must have 1 to 100`);
  return found;
};

export const rechargeBody = object({
  sandbox: flag,
  paymentId: name,
  gameId: name,
  serverId: name,
  roleId: name,
  gameAccountId: name,
  items,
});
export type RechargeBody = ReadBy<typeof rechargeBody>;

export const revokeBody = object({ sandbox: flag, paymentId: name, reason: name });
export type RevokeBody = ReadBy<typeof revokeBody>;

export const listBody = object({
  sandbox: flag,
  gameId: name,
  from: name,
  until: name,
  cursor: nullable(name),
  limit: atLeast(1),
});
export type ListBody = ReadBy<typeof listBody>;

export const faultBody = object({
  call: oneOf(callNames),
  kind: oneOf([
    'http500_before',
    'http500_after_commit',
    'cut_after_commit',
    'hang',
    'decline',
    'refuse',
  ]),
  times: optional(atLeast(1)),
  /** Limits the fault to calls of this game or this server; by default all. */
  gameId: optional(name),
  serverId: optional(name),
  hangMs: optional(atLeast(1)),
  /** The reason of a planned refusal; `server_closed` by default. */
  reason: optional(oneOf(reasons)),
});
export type GameFault = Omit<ReadBy<typeof faultBody>, 'times'> & { times: number };
