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
> {
  readonly method: 'GET' | 'POST';
  readonly path: `/api/${string}`;
  readonly summary: string;
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
>(definition: Endpoint<Access, Body, Reply, Code>): Endpoint<Access, Body, Reply, Code> {
  return definition;
}

export type BodyOf<E extends Endpoint> = z.output<E['body']>;
export type ReplyOf<E extends Endpoint> = z.output<E['reply']>;

/** All codes a caller of this endpoint has to have words for. */
export type RefusalOf<E extends Endpoint> =
  | E['refusals'][number]
  | (typeof commonRefusals)[number]
  | (E['access'] extends 'player' ? (typeof playerRefusals)[number] : never);
