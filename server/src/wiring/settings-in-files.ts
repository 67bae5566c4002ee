import { readFileSync } from 'node:fs';

/**
 * Reads settings from files, as Docker, Kubernetes and vaults provide secrets: `NAME_FILE` contains
 * the path. A trailing line break is removed.
 */
export function withFiles(
  environment: NodeJS.ProcessEnv,
  names: readonly string[],
): { settings: NodeJS.ProcessEnv; complaints: string[] } {
  const settings = { ...environment };
  const complaints: string[] = [];
  for (const name of names) {
    const file = environment[`${name}_FILE`];
    if (file === undefined) continue;
    if (environment[name] !== undefined) {
      complaints.push(`${name}_FILE: is set, and so is ${name}`);
      continue;
    }
    try {
      settings[name] = readFileSync(file, 'utf8').replace(/\r?\n$/, '');
    } catch (error) {
      // as: Node's errors of files carry a code
      complaints.push(`${name}_FILE: cannot be read (${(error as NodeJS.ErrnoException).code})`);
    }
  }
  return { settings, complaints };
}

/** A single setting, for programs that need no others. */
export function oneSetting(environment: NodeJS.ProcessEnv, name: string): string | undefined {
  const { settings, complaints } = withFiles(environment, [name]);
  if (complaints.length > 0) throw new Error(complaints.join('; '));
  return settings[name];
}
