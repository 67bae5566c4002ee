import type { OperatorAction } from '../platform/operator-action.ts';
import { type ListedAction, type Program, programOf } from './actions.ts';
import { fieldsOf } from './command-line.ts';

/** How a program is started, such as `npm run operate --`. */
export function commandOf(program: Program): string {
  return `npm run ${program} --`;
}

/** Every action of a program with one line of use and one of what it does, by feature. */
export function helpOfAll(actions: ReadonlyMap<string, ListedAction>, program: Program): string {
  const command = commandOf(program);
  const own = [...actions.values()].filter(({ action }) => programOf(action) === program);
  const features = Map.groupBy(own, ({ feature }) => feature);
  const parts = [...features].map(([feature, listed]) => {
    const lines = listed.map(({ action }) => `  ${usageOf(action)}\n      ${action.summary}`);
    return `${feature.replaceAll('-', ' ')}\n${lines.join('\n')}`;
  });
  return `Usage: ${command} <command>\n       ${command} help <command>\n\n${parts.join('\n\n')}\n`;
}

/** All that is known of one action, with examples. */
export function helpOf(action: OperatorAction): string {
  const { summary, details, examples, standardInput, secretInput, needsSecondPerson } = action;
  const command = commandOf(programOf(action));
  const isKept = action.effect !== 'reads' && action.effect !== 'local';
  return [
    `Usage: ${command} ${usageOf(action)}`,
    '',
    summary,
    ...(details === undefined ? [] : ['', details]),
    ...(standardInput === undefined ? [] : ['', 'Standard input: JSON.']),
    ...(secretInput === undefined
      ? []
      : ['', `Standard input: a secret, unless ${flagsOf(secretInput.unless)} is given.`]),
    ...(isKept ? ['', 'The shop keeps who did this, when and why.'] : []),
    ...(needsSecondPerson
      ? ['With --second-person <name> it keeps who has approved it, too.']
      : []),
    '',
    'Examples:',
    ...examples.map((example) => `  ${command} ${example}`),
    '',
  ].join('\n');
}

const flagsOf = (names: readonly string[]) => names.map((name) => `--${name}`).join(' or ');

/** The command line of an action, with optional parts in brackets. */
function usageOf(action: OperatorAction): string {
  const parts = fieldsOf(action).flatMap(({ kind, label, value, isFlag, isList, isNeeded }) => {
    if (kind === 'input') return [];
    const words = kind === 'positional' || isFlag ? label : `${label} <${value}>`;
    const listed = isList ? `${words}...` : words;
    return [isNeeded || kind === 'positional' ? listed : `[${listed}]`];
  });
  const isNamed = action.effect !== 'reads' && action.effect !== 'local';
  const named = isNamed ? ['--by <name>'] : [];
  const why = action.needsReason ? ['--reason <why>'] : [];
  const input =
    action.standardInput !== undefined
      ? ['< <file>']
      : action.secretInput !== undefined
        ? ['[< <file>]']
        : [];
  return [action.name, ...parts, ...named, ...why, ...input].join(' ');
}
