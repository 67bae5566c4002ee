import type * as z from 'zod/mini';
import type { commonRefusals, ErrorCode, playerRefusals } from './errors.ts';

/**
 * A call of the shop, defined once: the server registers it, the browser calls it, and the OpenAPI
 * file is generated from it.
 */
export interface Endpoint<
  Access extends 'public' | 'player' = 'public' | 'player',
  Body extends z.ZodMiniType = z.ZodMiniType,
  Reply extends z.ZodMiniType = z.ZodMiniType,
  Code extends ErrorCode = ErrorCode,
  Address extends z.ZodMiniType = z.ZodMiniType,
> {
  readonly method: 'GET' | 'POST';
  /** Path parameters are in braces, such as `{id}`. */
  readonly path: `/api/${string}`;
  readonly summary: string;
  /**
   * The path parameters, and the query parameters of a GET; all of them text. None if left out.
   */
  readonly address?: Address;
  /** `player` needs a live session; `public` may have one. */
  readonly access: Access;
  /** The body of a POST. A GET has none and uses `z.strictObject({})`. */
  readonly body: Body;
  readonly reply: Reply;
  /** The refusals of this call; those common to all calls are in `errors.ts`. */
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

/** The address of a call: path parameters are filled in, all others become the query. */
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

/** All refusal codes that a caller of this endpoint must handle. */
export type RefusalOf<E extends Endpoint> =
  | E['refusals'][number]
  | (typeof commonRefusals)[number]
  | (E['access'] extends 'player' ? (typeof playerRefusals)[number] : never);
