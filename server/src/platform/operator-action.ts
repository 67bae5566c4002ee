import type { z } from 'zod';
import type { Tx } from './db.ts';

/** The opened parts of the shop that an action works on; `wiring/app.ts` adds them to this type. */
// biome-ignore lint/suspicious/noEmptyInterface: features cannot import the type of the whole shop
export interface OperatorParts {}

/** What an operator may be allowed to do. */
export const permissions = [
  'accounts.bind',
  'accounts.block',
  'accounts.erase',
  'accounts.export',
  'accounts.read',
  'analytics.read',
  'archives.move',
  'audits.read',
  'audits.run',
  'books.read',
  'cases.read',
  'cases.work',
  'codes.make',
  'codes.read',
  'coupons.hand_out',
  'coupons.publish',
  'coupons.read',
  'documents.read',
  'games.change',
  'keys.rotate',
  'methods.read',
  'methods.switch',
  'news.publish',
  'orders.refund',
  'orders.resend',
  'passkeys.forget',
  'people.find',
  'people.import',
  'people.read',
  'people.shred',
  'players.import',
  'prices.publish',
  'prices.read',
  'promotions.publish',
  'promotions.read',
  'secrets.change',
  'secrets.read',
  'servers.read',
  'servers.switch',
  'settlement.compare',
] as const;
export type Permission = (typeof permissions)[number];

/** A refusal of an action, shown to the operator as one message. */
export class Refusal extends Error {
  /** The exit status of the command line. */
  readonly status: number;

  constructor(why: string, status = 1) {
    super(why);
    this.status = status;
  }
}

export function refuse(why: string, status = 1): never {
  throw new Refusal(why, status);
}

/** Where an action writes while it runs. */
export interface ActionOutput {
  /** Output too long for one answer. Waits until the reader has taken it. */
  print(text: string): Promise<void>;
  /** Messages that are not part of the answer, such as progress. */
  note(line: string): void;
}

/** Who performs an action, when and why. */
export interface Performed {
  by: string;
  /** Empty unless the action needs a reason. */
  reason: string;
  at: Date;
}

interface Described<Input extends z.ZodObject> {
  /** What operators type, such as `method-off`. */
  name: string;
  /** The program that lists it: `operate` by default. */
  program?: 'pointgate';
  /** One sentence that begins with a verb. */
  summary: string;
  /** Further sentences for the help of this action. */
  details?: string;
  /** Command lines with all that has to be given, for help and tests. */
  examples: readonly [string, ...string[]];
  permission: Permission;
  /** Shown in front of a field's value: `is no day as 2026-11-14 is`. */
  input: Input;
  /** Fields that are typed without their names, in this order; a list takes all that follow. */
  positionals?: readonly (keyof z.input<Input> & string)[];
  /** The field that is read as JSON from standard input, to keep it out of the shell history. */
  standardInput?: keyof z.input<Input> & string;
  /**
   * The field that is read as text from standard input, unless one of these flags is given. It is
   * in no audit entry, and no message repeats it.
   */
  secretInput?: {
    field: keyof z.input<Input> & string;
    unless: readonly (keyof z.input<Input> & string)[];
  };
  /** Whether the fields are personal data, which audit entries do not contain. */
  hasPersonalInput?: true;
  needsReason?: true;
  /** Somebody else has to approve it. */
  needsSecondPerson?: true;
  /** The operator has to prove again who they are. */
  needsStepUp?: true;
}

type Effect<Input, Result> =
  | {
      /** Reads what any operator with the permission may see. No audit entry. */
      effect: 'reads';
      run(
        parts: OperatorParts,
        input: Input,
        call: ActionOutput & { by: string | null },
      ): Promise<unknown>;
    }
  | {
      /** Shows personal data. The audit entry is stored before anything is shown. */
      effect: 'reveals';
      run(parts: OperatorParts, input: Input, call: ActionOutput & Performed): Promise<unknown>;
    }
  | {
      /** One transaction, which also contains the audit entry. It may be repeated after a deadlock. */
      effect: 'changes';
      run(tx: Tx, input: Input, call: Performed & { parts: OperatorParts }): Promise<Result>;
      /** What is answered after the commit instead of the result. */
      answer?(parts: OperatorParts, input: Input, result: Result): Promise<unknown>;
    }
  | {
      /**
       * Calls others or needs several transactions. There is an audit entry before it begins, and
       * another with its outcome.
       */
      effect: 'works';
      run(parts: OperatorParts, input: Input, call: ActionOutput & Performed): Promise<unknown>;
    }
  | {
      /** Reads and writes files of whoever types it, and needs no shop. No audit entry. */
      effect: 'local';
      run(input: Input, call: ActionOutput): Promise<unknown>;
    };

/** An action of an operator, for the command line and other programs. */
export type OperatorAction<
  Input extends z.ZodObject = z.ZodObject,
  Result = unknown,
> = Described<Input> & Effect<z.output<Input>, Result>;

/** Every file named `*.action.ts` exports one as `action`. */
export function operatorAction<Input extends z.ZodObject, Result>(
  action: OperatorAction<Input, Result>,
): OperatorAction {
  // as: `performAction` passes `run` only what this action's own schema has parsed
  return action as unknown as OperatorAction;
}
