import type { Rule } from './tidy-rules.ts';
import { titlesIn } from './tools/asvs/titles.ts';

/** Words that a sentence does not begin with when its subject comes first. */
const noSubject = new Set(
  [
    'is are was were has have had does do did can cannot could may might must shall should will would',
    'and or but nor so than that which who whom whose what whatever whoever where wherever why how',
    'it its they them their this these those somebody nobody someone anyone everybody',
    'of by with without via says tells takes gives comes goes gets makes keeps knows stays holds begins ends',
    'answers asks sends shows refuses accepts returns reads writes counts costs lets leaves finds loses waits',
  ].flatMap((line) => line.split(' ')),
);

/** Their texts contain titles as examples. */
const withExamples = new Set(['tidy.test.ts', 'tools/asvs/asvs.test.ts']);

/** Ids of the specification come before a title. */
const ids = /^(?:\[S[\d.]+\]\s*)+/;

/**
 * A title is read alone, in a list of hundreds: a sentence with its subject, and not the rest of one that
 * began in a `describe`.
 */
export const testTitlesStandAlone: Rule = ({ path, text }) =>
  /\.(test|spec)\.tsx?$/.test(path) && !withExamples.has(path)
    ? titlesIn(text)
        .filter(({ kind, title }) => kind === 'test' && beginsInTheMiddle(title.replace(ids, '')))
        .map(({ title }) => `${path}: ${title}`)
    : [];

function beginsInTheMiddle(title: string): boolean {
  const [, first = '', rest = ''] = /^(\w+)(.*)$/.exec(title) ?? [];
  return noSubject.has(first.toLowerCase()) && rest !== '';
}
