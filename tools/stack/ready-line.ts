export type ReadyLine = { ready: true } & Record<string, unknown>;

/** Finds the JSON line that reports readiness in the output of a program. */
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
    // An incomplete line, or plain text.
    return undefined;
  }
}

function isReadyLine(value: unknown): value is ReadyLine {
  return typeof value === 'object' && value !== null && 'ready' in value && value.ready === true;
}
