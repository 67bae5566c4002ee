import type { OperatorAction } from '../platform/operator-action.ts';
import type { ListedAction } from './actions.ts';
import { fieldsOf } from './command-line.ts';

const program = 'npm run operate --';

/** Every action with one line of use and one of what it does, by feature. */
export function helpOfAll(actions: ReadonlyMap<string, ListedAction>): string {
  const features = Map.groupBy(actions.values(), ({ feature }) => feature);
  const parts = [...features].map(([feature, listed]) => {
    const lines = listed.map(({ action }) => `  ${usageOf(action)}\n      ${action.summary}`);
    return `${feature.replaceAll('-', ' ')}\n${lines.join('\n')}`;
  });
  return `Usage: ${program} <command>\n       ${program} help <command>\n\n${parts.join('\n\n')}\n`;
}

/** All that is known of one action, with examples. */
export function helpOf(action: OperatorAction): string {
  const { summary, details, examples, standardInput, secretInput, effect, needsSecondPerson } =
    action;
  return [
    `Usage: ${program} ${usageOf(action)}`,
    '',
    summary,
    ...(details === undefined ? [] : ['', details]),
    ...(standardInput === undefined ? [] : ['', 'Standard input: JSON.']),
    ...(secretInput === undefined
      ? []
      : ['', `Standard input: a secret, unless ${flagsOf(secretInput.unless)} is given.`]),
    ...(effect === 'reads' ? [] : ['', 'The shop keeps who did this, when and why.']),
    ...(needsSecondPerson
      ? ['With --second-person <name> it keeps who has approved it, too.']
      : []),
    '',
    'Examples:',
    ...examples.map((example) => `  ${program} ${example}`),
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
  const named = action.effect === 'reads' ? [] : ['--by <name>'];
  const why = action.needsReason ? ['--reason <why>'] : [];
  const input =
    action.standardInput !== undefined
      ? ['< <file>']
      : action.secretInput !== undefined
        ? ['[< <file>]']
        : [];
  return [action.name, ...parts, ...named, ...why, ...input].join(' ');
}
