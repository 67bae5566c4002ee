import type * as z from 'zod/mini';
import type { commonRefusals, ErrorCode, playerRefusals } from './errors.ts';

/**
 * One call of the shop, said once. The server registers it, the browser calls it and the OpenAPI
 * file is generated from it, so that nobody writes a path or a payload type a second time.
 */
export interface Endpoint<
  Access extends 'public' | 'player' = 'public' | 'player',
  Body extends z.ZodMiniType = z.ZodMiniType,
  Reply extends z.ZodMiniType = z.ZodMiniType,
  Code extends ErrorCode = ErrorCode,
  Address extends z.ZodMiniType = z.ZodMiniType,
> {
  readonly method: 'GET' | 'POST';
  /** Parts in braces, such as `{id}`, are another each time. */
  readonly path: `/api/${string}`;
  readonly summary: string;
  /** The parts in braces, and what a GET may ask behind them; all of it text. None if left out. */
  readonly address?: Address;
  /** `player` needs a live session; `public` may have one. */
  readonly access: Access;
  /** What a POST sends. A GET has none and says `z.strictObject({})`. */
  readonly body: Body;
  readonly reply: Reply;
  /** Refusals of this call alone; those every call can give are in `errors.ts`. */
  readonly refusals: readonly Code[];
}

export function endpoint<
  const Access extends 'public' | 'player',
  Body extends z.ZodMiniType,
  Reply extends z.ZodMiniType,
  const Code extends ErrorCode,
  Address extends z.ZodMiniType = z.ZodMiniType,
>(
  definition: Endpoint<Access, Body, Reply, Code, Address>,
): Endpoint<Access, Body, Reply, Code, Address> {
  return definition;
}

export type BodyOf<E extends Endpoint> = z.output<E['body']>;
export type AddressOf<E extends Endpoint> = z.output<NonNullable<E['address']>>;
export type ReplyOf<E extends Endpoint> = z.output<E['reply']>;

/** Where a call goes: the parts in braces are filled in, what is left becomes the query. */
export function addressOf(
  { path }: Pick<Endpoint, 'path'>,
  values: Readonly<Record<string, string>> = {},
): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(values[name] ?? ''));
  const query = Object.entries(values)
    .filter(([name]) => !path.includes(`{${name}}`))
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return query.length === 0 ? filled : `${filled}?${query.join('&')}`;
}

/** All codes a caller of this endpoint has to have words for. */
export type RefusalOf<E extends Endpoint> =
  | E['refusals'][number]
  | (typeof commonRefusals)[number]
  | (E['access'] extends 'player' ? (typeof playerRefusals)[number] : never);
