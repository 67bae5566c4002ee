import { readFile } from 'node:fs/promises';

/** The last lines of a log, indented; says so if the log is empty. */
export async function lastLinesOf(file: string, count = 20): Promise<string> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return `Last lines of ${file}:\n${lastLines(text, count)}`;
}

export function lastLines(text: string, count: number): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length === 0) return '  (it wrote nothing)';
  return lines
    .slice(-count)
    .map((line) => `  ${line}`)
    .join('\n');
}
