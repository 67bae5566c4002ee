import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Hanging } from './hanging.ts';
import { cut } from './requests.ts';

/**
 * Applies a fault planned for before the work; true when the request is already answered. `own`
 * holds the provider's own answers.
 */
export async function interfere<Kind extends string>(
  { hanging }: { hanging: Hanging },
  call: {
    request: FastifyRequest;
    reply: FastifyReply;
    fault: { kind: Kind; hangMs: number | undefined } | undefined;
  },
  own: Partial<Record<Kind, () => unknown>>,
): Promise<boolean> {
  const { request, reply, fault } = call;
  if (fault === undefined) return false;
  switch (fault.kind) {
    case 'cut_before':
      cut(request, reply);
      return true;
    case 'json404_without_error':
      reply.code(404).send({ message: 'Not Found' });
      return true;
    case 'hang':
      if (!(await hanging.hang(fault.hangMs))) return false;
      cut(request, reply);
      return true;
    default: {
      const answer = own[fault.kind];
      answer?.();
      return answer !== undefined;
    }
  }
}
