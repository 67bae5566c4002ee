export type ReadyLine = { ready: true } & Record<string, unknown>;

/** The line of JSON by which a program says that it is up, among whatever else it wrote. */
export function findReadyLine(output: string): ReadyLine | undefined {
  for (const line of output.split('\n')) {
    if (!line.includes('"ready"')) continue;
    const value = parseJson(line);
    if (isReadyLine(value)) return value;
  }
  return undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Half a line that is still being written, or plain text.
    return undefined;
  }
}

function isReadyLine(value: unknown): value is ReadyLine {
  return typeof value === 'object' && value !== null && 'ready' in value && value.ready === true;
}
