import { posix } from 'node:path';
import { partsOf } from './complaints.ts';
import { chapters, type Requirement, requirements } from './requirements.ts';
import { type Row, verdicts } from './rows.ts';

type Judged = Row & Requirement;

/** docs/asvs.md: the requirements of the standard, whether they are held, and the evidence. */
export function asvsPage(rows: readonly Row[]): string {
  const judged = requirements.flatMap((requirement) =>
    rows.filter(({ id }) => id === requirement.id).map((row) => ({ ...row, ...requirement })),
  );
  return [
    '# OWASP ASVS 5.0, levels 1 and 2',
    '',
    'Generated from `docs/asvs/`; change it there and run `npm run docs`. `npm run check` refuses a row that is missing,',
    'a file or test that is not there, and a row without evidence or reason.',
    '',
    'Numbers and levels are those of the [OWASP Application Security Verification Standard',
    '5.0.0](https://github.com/OWASP/ASVS/tree/v5.0.0) by the OWASP Foundation, which is under',
    '[CC BY-SA 4.0](https://creativecommons.org/licenses/by-sa/4.0/). What is asked is told in our own words and shorter;',
    'the words of the standard decide. The verdicts are our own: nobody else has looked yet.',
    '',
    '- **held**: the evidence shows it.',
    '- **held in part**: the evidence shows a part, and the row says what is missing.',
    '- **not held**: the row says what it would take.',
    '- **does not apply**: the shop has nothing that the requirement is about.',
    '',
    '## Summary',
    '',
    `| chapter | level 1 | level 2 | ${verdicts.join(' | ')} |`,
    `| --- | --- | --- | ${verdicts.map(() => '---').join(' | ')} |`,
    ...chapters.map(({ number, name }) =>
      summary(
        `${number} ${name}`,
        judged.filter(({ chapter }) => chapter === number),
      ),
    ),
    summary('all', judged),
    '',
    ...chapters.flatMap(({ number, name }) => [
      `## ${number} ${name}`,
      '',
      '| number | level | asked | verdict | evidence |',
      '| --- | --- | --- | --- | --- |',
      ...judged.filter(({ chapter }) => chapter === number).map(lineOf),
      '',
    ]),
  ].join('\n');
}

function summary(name: string, rows: readonly Judged[]): string {
  const ofLevel = (wanted: number) => rows.filter(({ level }) => level === wanted).length;
  const counts = verdicts.map((wanted) => rows.filter(({ verdict }) => verdict === wanted).length);
  return `| ${[name, ofLevel(1), ofLevel(2), ...counts].join(' | ')} |`;
}

function lineOf({ id, level, asks, verdict, evidence, why }: Judged): string {
  const shown = [...(why === undefined ? [] : [cell(why)]), ...evidence.map(linkOf)].join('<br>');
  return `| ${id} | ${level} | ${cell(asks)} | ${verdict} | ${shown} |`;
}

function linkOf(link: string): string {
  const { path, heading, titles } = partsOf(link);
  const address = heading === undefined ? path : `${path}#${heading}`;
  const name = posix.basename(path);
  const shown = heading === undefined ? name : `${name}, ${heading.replaceAll('-', ' ')}`;
  const title = titles.length === 0 ? '' : `: ${cell(titles.join(' > '))}`;
  return `[${shown}](${posix.relative('docs', address)})${title}`;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;');
}
