import { createHash } from 'node:crypto';
import type { z } from 'zod';
import type { Db } from '../platform/db.ts';
import { newId } from '../platform/ids.ts';
import { log } from '../platform/log.ts';
import {
  type ActionOutput,
  type OperatorAction,
  type OperatorParts,
  type Permission,
  Refusal,
  refuse,
} from '../platform/operator-action.ts';
import { insertEntry, type NewEntry } from './entries.queries.ts';

/** Who asks for an action. */
export interface Actor {
  /** Null only for those who read and do not say who they are. */
  name: string | null;
  /**
   * Whoever has a shell of the shop can also write its tables, so the shell is trusted with every
   * action and proves nothing by a second person or a step-up.
   */
  via: 'shell' | 'console';
  permissions: ReadonlySet<Permission> | 'all';
  secondPerson: string | null;
  hasSteppedUp: boolean;
}

interface Request {
  fields: Record<string, unknown>;
  reason: string | null;
}

/** Fields that the schema of an action does not accept. */
export class UnusableFields extends Error {
  readonly issues: readonly z.core.$ZodIssue[];

  constructor(issues: readonly z.core.$ZodIssue[]) {
    super(issues.map(({ path, message }) => `${path.join('.')} ${message}`).join('\n'));
    this.issues = issues;
  }
}

/** Checks the request, performs the action and stores the audit entry. Returns the answer. */
export async function performAction(
  parts: (OperatorParts & { db: Db }) | null,
  action: OperatorAction,
  { actor, request, output }: { actor: Actor; request: Request; output: ActionOutput },
): Promise<unknown> {
  const fields = action.input.safeParse(request.fields);
  if (!fields.success) throw new UnusableFields(fields.error.issues);
  const input = fields.data;
  checkActor(action, actor, request);
  if (action.effect === 'local') return await action.run(input, output);
  if (parts === null) throw new Error(`${action.name} needs a shop`);
  if (action.effect === 'reads')
    return await action.run(parts, input, { ...output, by: actor.name });

  const by = actor.name ?? refuse('--by is missing');
  const { reason } = request;
  const at = new Date();
  const call = { by, reason: reason ?? '', at };
  const entryOf = (outcome: NewEntry['outcome'], begun: string | null = null): NewEntry => ({
    id: newId(),
    at: begun === null ? at : new Date(),
    by,
    secondPerson: actor.secondPerson,
    via: actor.via,
    action: action.name,
    inputJson: recordedInput(action, request.fields),
    reason,
    outcome,
    begun,
  });
  const store = async (entry: NewEntry) => {
    await parts.db.transaction((tx) => insertEntry(tx, entry));
    return entry.id;
  };
  switch (action.effect) {
    case 'changes': {
      const result = await parts.db.transaction(async (tx) => {
        const done = await action.run(tx, input, { ...call, parts });
        // Last, because the entries of all operators wait for each other from here to the commit.
        await insertEntry(tx, entryOf('done'));
        return done;
      });
      return action.answer === undefined ? result : await action.answer(parts, input, result);
    }
    case 'reveals':
      await store(entryOf('done'));
      return await action.run(parts, input, { ...output, ...call });
    case 'works': {
      const begun = await store(entryOf('begun'));
      let answer: unknown;
      try {
        answer = await action.run(parts, input, { ...output, ...call });
      } catch (error) {
        const outcome = error instanceof Refusal ? 'refused' : 'failed';
        // The reason why it failed may also be why nothing can be stored, and it is what matters.
        await store(entryOf(outcome, begun)).catch((err: unknown) => {
          log.error({ err, action: action.name, outcome }, 'an outcome could not be stored');
        });
        throw error;
      }
      await store(entryOf('done', begun));
      return answer;
    }
  }
}

function checkActor(action: OperatorAction, actor: Actor, { reason }: Request): void {
  const { permissions, secondPerson } = actor;
  if (permissions !== 'all' && !permissions.has(action.permission)) {
    refuse(`${action.name} needs the permission ${action.permission}`);
  }
  if (action.needsReason && !reason?.trim()) refuse('--reason is missing');
  if (secondPerson !== null && secondPerson === actor.name) {
    refuse('the second person is the one who asks');
  }
  if (actor.via === 'shell') return;
  if (action.needsSecondPerson && secondPerson === null) {
    refuse(`${action.name} needs a second person`);
  }
  if (action.needsStepUp && !actor.hasSteppedUp) refuse(`${action.name} needs a step-up`);
}

const recordedMax = 2_000;

/**
 * The fields as they were given; long ones by their digest, personal ones and secrets not at all:
 * a digest would let everybody with a copy of the entries try values.
 */
function recordedInput(action: OperatorAction, fields: Record<string, unknown>): string {
  if (action.hasPersonalInput) return '{}';
  const shown = Object.entries(fields).filter(([name]) => name !== action.secretInput?.field);
  const recorded = shown.map(([name, value]) => {
    const json = JSON.stringify(value) ?? 'null';
    if (json.length <= recordedMax) return [name, value];
    const sha256 = createHash('sha256').update(json).digest('hex');
    return [name, { sha256, letters: json.length }];
  });
  return JSON.stringify(Object.fromEntries(recorded));
}
