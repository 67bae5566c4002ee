import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import type { z } from 'zod';

/** The arguments and streams of an operator command. */
export interface Terminal {
  args: string[];
  /** The environment of this process by default. */
  environment?: NodeJS.ProcessEnv;
  stdin: Readable;
  stdout: Writable;
  stderr: Writable;
}

/** A refusal that is printed without a stack trace. */
export class Refusal extends Error {
  /** The exit status. */
  readonly status: number;

  constructor(why: string, status = 1) {
    super(why);
    this.status = status;
  }
}

export function refuse(why: string, status = 1): never {
  throw new Refusal(why, status);
}

const options = {
  by: { type: 'string' },
  note: { type: 'string' },
  reason: { type: 'string' },
  amount: { type: 'string' },
  capture: { type: 'string' },
  'refund-id': { type: 'string' },
  reference: { type: 'string' },
  after: { type: 'string' },
  file: { type: 'string' },
  folder: { type: 'string' },
  key: { type: 'string' },
  site: { type: 'string' },
  database: { type: 'string' },
  month: { type: 'string', multiple: true },
  'ask-games': { type: 'boolean', default: false },
  'ask-providers': { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h' },
} as const; // as: parseArgs reads the types of the values from it

function readArgs(args: string[]) {
  try {
    return parseArgs({ args, allowPositionals: true, options });
  } catch (error) {
    // The first sentence names the option; the rest is general advice of Node.
    const [sentence] = error instanceof TypeError ? error.message.split('. ') : [];
    return refuse(sentence ?? 'the command cannot be read', 2);
  }
}

/** A parsed operator command with its input and output. */
export type Call = ReturnType<typeof readCall>;

export function readCall({ args, stdin, stdout, stderr }: Terminal) {
  const { positionals, values } = readArgs(args);
  const [command, ...named] = positionals;
  const [first = '', second = '', third = ''] = named;
  const need = (name: 'by' | 'note' | 'reason' | 'key' | 'file' | 'folder' | 'reference') =>
    values[name] ?? refuse(`--${name} is missing`);
  return {
    ...{ command, named, first, second, third, values, need },
    hand: () => ({ by: need('by'), at: new Date() }),
    /** From standard input and not from an argument, which would stay in the shell history. */
    readInput: async <T>(schema: z.ZodType<T>): Promise<T> => {
      const input = schema.safeParse(parseJson(await text(stdin)));
      return input.success ? input.data : refuse(complaintOf(input.error));
    },
    /** Prints messages that are not part of the answer, such as progress. */
    note: (line: string) => void stderr.write(`${line}\n`),
    /** Waits until the reader has taken the output. */
    print: async (output: string) => {
      if (!stdout.write(output)) await once(stdout, 'drain');
    },
  };
}

const complaintsMax = 20;

/** The paths and problems of wrong fields, without their values. */
function complaintOf({ issues }: z.ZodError): string {
  const lines = issues.map(({ path, message }) => `  ${path.join('.') || 'all of it'}: ${message}`);
  const rest = lines.length - complaintsMax;
  const more = rest > 0 ? [`  and ${rest} more`] : [];
  return ['standard input is not usable:', ...lines.slice(0, complaintsMax), ...more].join('\n');
}

function parseJson(input: string): unknown {
  try {
    return JSON.parse(input);
  } catch {
    return refuse('standard input is not JSON');
  }
}
