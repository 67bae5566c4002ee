import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import type { z } from 'zod';

/** Where an operator has typed a command, and reads the answer. */
export interface Terminal {
  args: string[];
  /** The one of this process without it. */
  environment?: NodeJS.ProcessEnv;
  stdin: Readable;
  stdout: Writable;
  stderr: Writable;
}

/** What the operator asked for is not possible; said in words, without a stack. */
export class Refusal extends Error {
  /** With what status the program ends. */
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
    // It names the option; what follows is about other programs.
    const [sentence] = error instanceof TypeError ? error.message.split('. ') : [];
    return refuse(sentence ?? 'the command cannot be read', 2);
  }
}

/** What the operator typed, and what they pipe into it. */
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
    /** On standard input and not as an argument, which would stay in the history of the shell. */
    readInput: async <T>(schema: z.ZodType<T>): Promise<T> => {
      const input = schema.safeParse(parseJson(await text(stdin)));
      return input.success ? input.data : refuse(complaintOf(input.error));
    },
    /** What is no answer, such as how far it is. */
    note: (line: string) => void stderr.write(`${line}\n`),
    /** Waits for whoever reads. */
    print: async (output: string) => {
      if (!stdout.write(output)) await once(stdout, 'drain');
    },
  };
}

const complaintsMax = 20;

/** Which fields are wrong, and why, and never what they say. */
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
