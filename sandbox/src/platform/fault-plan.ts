import type { FastifyRequest } from 'fastify';
import { atLeast, optional, text } from './shape.ts';

/** What happens a number of times: once, unless whoever plans it says otherwise. */
export type Planned = { times: number };
type Sent = { times: number | undefined };
export type PlannedFrom<S extends Sent> = Omit<S, 'times'> & Planned;

/** What is said of every fault but its kind. */
export const faultFields = {
  /** The call it happens to: a method and a path or a route, as in `POST /v1/refunds/:id/cancel`. */
  match: text,
  times: optional(atLeast(1)),
  hangMs: optional(atLeast(1)),
};

/** Faults waiting to happen. Each happens a number of times, the oldest that fits first. */
export type FaultPlan<F extends Planned> = {
  add(fault: F): void;
  /** The fault to commit now, used up by one; undefined when none fits. */
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
