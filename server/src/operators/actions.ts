import { globSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { OperatorAction } from '../platform/operator-action.ts';

const source = join(import.meta.dirname, '..');

export type Program = 'operate' | 'pointgate';

/** The program that lists an action. */
export function programOf({ program }: OperatorAction): Program {
  return program ?? 'operate';
}

/** An action with the feature that its file lies beside. */
export interface ListedAction {
  feature: string;
  action: OperatorAction;
}

/** Every action of the shop, by name, in the order of their features. */
export async function loadActions(): Promise<ReadonlyMap<string, ListedAction>> {
  const files = globSync('**/*.action.ts', { cwd: source }).toSorted();
  const listed = await Promise.all(
    files.map(async (file): Promise<[string, ListedAction]> => {
      const module: { action?: OperatorAction } = await import(
        pathToFileURL(join(source, file)).href
      );
      if (module.action === undefined) throw new Error(`${file} exports no action`);
      return [module.action.name, { feature: basename(dirname(file)), action: module.action }];
    }),
  );
  const byName = new Map(listed);
  if (byName.size < listed.length) throw new Error('two actions have the same name');
  return byName;
}
