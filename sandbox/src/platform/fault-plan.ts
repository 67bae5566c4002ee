import type { FastifyRequest } from 'fastify';
import { atLeast, optional, text } from './shape.ts';

/** A plan that applies `times` times, once by default. */
export type Planned = { times: number };
type Sent = { times: number | undefined };
export type PlannedFrom<S extends Sent> = Omit<S, 'times'> & Planned;

/** The fields common to all faults, without the kind. */
export const faultFields = {
  /** The call that fails: a method and a path or a route, such as `POST /v1/refunds/:id/cancel`. */
  match: text,
  times: optional(atLeast(1)),
  hangMs: optional(atLeast(1)),
};

/** The pending faults. Each applies a number of times, the oldest matching one first. */
export type FaultPlan<F extends Planned> = {
  add(fault: F): void;
  /** Takes the matching fault and counts it as used once; undefined if none matches. */
  take(fits: (fault: F) => boolean): F | undefined;
  list(): F[];
  clear(): void;
};

export function createFaultPlan<F extends Planned>(): FaultPlan<F> {
  let waiting: F[] = [];
  return {
    add: (fault) => {
      waiting.push({ ...fault });
    },
    take: (fits) => {
      const fault = waiting.find(fits);
      if (fault === undefined) return undefined;
      fault.times -= 1;
      waiting = waiting.filter(({ times }) => times > 0);
      return fault;
    },
    list: () => waiting.map((fault) => ({ ...fault })),
    clear: () => {
      waiting = [];
    },
  };
}

/** The fault that is planned for this call, by its path or by its route. */
export function takeFault<F extends Planned & { match: string }>(
  { faults }: { faults: FaultPlan<F> },
  request: FastifyRequest,
): F | undefined {
  const path = request.url.split('?', 1)[0] ?? '';
  const names = [`${request.method} ${path}`, `${request.method} ${request.routeOptions.url}`];
  return faults.take(({ match }) => names.includes(match));
}
