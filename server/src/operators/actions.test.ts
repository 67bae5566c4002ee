import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { permissions } from '../platform/operator-action.ts';
import { loadActions } from './actions.ts';
import { readCommandLine } from './command-line.ts';
import { helpOf } from './help.ts';

const actions = await loadActions();
const listed = [...actions.values()].map(({ action }) => action);

/** The words of a command line, with quotes and without redirections. */
function wordsOf(line: string): string[] {
  const [command = ''] = line.split(/ [<>] /);
  return [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? '');
}

test('the list of operator actions is complete: it has every action defined in the source folders of the features', () => {
  expect(listed.length).toBeGreaterThan(40);
  expect(actions.get('refund')?.feature).toBe('refunds');
});

test('every permission that can be given to an operator is required by at least one operator action', () => {
  expect([...new Set(listed.map(({ permission }) => permission))].toSorted()).toEqual(
    [...permissions].toSorted(),
  );
});

test.each(listed)(
  'the examples in the help of the operator action $name are valid command lines',
  async (action) => {
    for (const example of action.examples) {
      const [name, ...args] = wordsOf(example);
      expect(name).toBe(action.name);
      const line = await readCommandLine(action, { args, stdin: Readable.from(['null']) });
      const { error } = action.input.safeParse(line.fields);
      const wrong = error?.issues.filter(({ path }) => path[0] !== action.standardInput) ?? [];
      expect(wrong).toEqual([]);
      const isKept = action.effect !== 'reads' && action.effect !== 'local';
      expect(line.by !== null || !isKept).toBe(true);
      if (action.needsReason) expect(line.reason).not.toBeNull();
      const { field } = action.secretInput ?? {};
      const takesInput =
        action.standardInput !== undefined || Object.hasOwn(line.fields, field ?? '');
      expect(example.includes(' < ')).toBe(takesInput);
      expect(helpOf(action)).toContain(example);
    }
  },
);

test.each(listed)(
  'the help text that summarises the operator action $name is one sentence',
  ({ summary }) => {
    expect(summary).toMatch(/^[A-Z][a-z]+ .*\.$/);
  },
);
