import { text } from 'node:stream/consumers';
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { z } from 'zod';
import { type OperatorAction, refuse } from '../platform/operator-action.ts';
import type { UnusableFields } from './perform.ts';

// The command line of an action follows from its schema: positionals, an option for each other field,
// and JSON or a secret on standard input.

interface Field {
  /** The property of the schema, such as `refundId`. */
  name: string;
  /** What operators type and read: `--refund-id`, `<paymentId>` or `standard input`. */
  label: string;
  kind: 'positional' | 'option' | 'input';
  isFlag: boolean;
  isList: boolean;
  isNeeded: boolean;
  /** What the value is, for the help: `name` in `--by <name>`. */
  value: string;
}

const JsonSchema = z.object({
  properties: z.record(
    z.string(),
    z.object({ type: z.string().optional(), description: z.string().optional() }),
  ),
  required: z.array(z.string()).default([]),
});

/** The fields of an action in the order in which they are typed. */
export function fieldsOf(action: OperatorAction): Field[] {
  const { input, positionals = [], standardInput, secretInput } = action;
  const shown = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' });
  const { properties, required } = JsonSchema.parse(shown);
  const fields = Object.entries(properties).map(([name, { type, description }]): Field => {
    const option = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    const kind =
      name === standardInput || name === secretInput?.field
        ? 'input'
        : positionals.includes(name)
          ? 'positional'
          : 'option';
    return {
      name,
      label: { positional: `<${description ?? name}>`, option, input: 'standard input' }[kind],
      kind,
      isFlag: type === 'boolean',
      isList: type === 'array' && kind !== 'input',
      isNeeded: required.includes(name),
      value: description ?? name,
    };
  });
  const place = ({ kind, name }: Field) =>
    kind === 'positional' ? positionals.indexOf(name) : fields.length;
  return fields.toSorted((one, other) => place(one) - place(other));
}

const common = {
  by: { type: 'string' },
  reason: { type: 'string' },
  'second-person': { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const; // as: parseArgs reads the types of the values from it

interface CommandLine {
  fields: Record<string, unknown>;
  by: string | null;
  reason: string | null;
  secondPerson: string | null;
}

/** Reads the arguments behind the name of the action, and standard input if it takes any. */
export async function readCommandLine(
  action: OperatorAction,
  { args, stdin }: { args: string[]; stdin: NodeJS.ReadableStream },
): Promise<CommandLine> {
  const fields = fieldsOf(action);
  const { secretInput } = action;
  const { positionals, values } = parse(args, fields);
  const given: Record<string, unknown> = {};
  const places = fields.filter(({ kind }) => kind === 'positional');
  for (const [index, { name, isList }] of places.entries()) {
    given[name] = isList ? positionals.slice(index) : positionals[index];
  }
  const surplus = places.some(({ isList }) => isList) ? undefined : positionals[places.length];
  if (surplus !== undefined) refuse(`${surplus} is one argument too many`, 2);
  for (const { name, kind, label } of fields) {
    if (kind === 'option') given[name] = values[label.slice(2)];
    if (kind === 'input' && secretInput === undefined) given[name] = parseJson(await text(stdin));
  }
  if (secretInput !== undefined && !secretInput.unless.some((flag) => given[flag] === true)) {
    given[secretInput.field] = await text(stdin);
  }
  const word = (value: unknown) => (typeof value === 'string' ? value : null);
  return {
    fields: Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
    by: word(values.by),
    // An action with a field of this name has kinds of reasons, and no other.
    reason: 'reason' in given ? null : word(values.reason),
    secondPerson: word(values['second-person']),
  };
}

function parse(args: string[], fields: readonly Field[]) {
  const own = fields
    .filter(({ kind }) => kind === 'option')
    .map(({ label, isFlag, isList }) => [
      label.slice(2),
      { type: isFlag ? ('boolean' as const) : ('string' as const), multiple: isList },
    ]);
  try {
    const options: ParseArgsOptionsConfig = { ...common, ...Object.fromEntries(own) };
    return parseArgs({ args, allowPositionals: true, options });
  } catch (error) {
    // The first sentence names the option; the rest is general advice of Node.
    const [sentence] = error instanceof TypeError ? error.message.split('. ') : [];
    return refuse(sentence ?? 'the command cannot be read', 2);
  }
}

function parseJson(input: string): unknown {
  try {
    return JSON.parse(input);
  } catch {
    return refuse('standard input is not JSON');
  }
}

const complaintsMax = 20;

/** Refuses a command with the name, the value and the fault of each unusable field. */
export function refuseFields(
  action: OperatorAction,
  { fields }: CommandLine,
  { issues }: UnusableFields,
): never {
  const known = new Map(fieldsOf(action).map((field) => [field.name, field]));
  const complaints = issues.map(({ path: [first, ...inner], message }) => {
    const field = known.get(String(first));
    const value = fields[String(first)];
    const isGiven = value !== undefined && !(Array.isArray(value) && value.length === 0);
    if (field?.kind === 'input')
      return { field, why: `  ${inner.join('.') || 'all of it'}: ${message}`, status: 1 };
    const label = field?.label ?? String(first);
    if (!isGiven) return { field, why: `${label} is missing`, status: 1 };
    const typed = Array.isArray(value) ? String(value[Number(inner[0] ?? 0)]) : String(value);
    const joint = /^(is|has) /.test(message) ? ' ' : ': ';
    return { field, why: `${label} ${typed}${joint}${message}`, status: 2 };
  });
  const typed = complaints.find(({ field }) => field?.kind !== 'input');
  if (typed !== undefined) refuse(typed.why, typed.status);
  const lines = complaints.map(({ why }) => why);
  const rest = lines.length - complaintsMax;
  const more = rest > 0 ? [`  and ${rest} more`] : [];
  return refuse(
    ['standard input is not usable:', ...lines.slice(0, complaintsMax), ...more].join('\n'),
  );
}
