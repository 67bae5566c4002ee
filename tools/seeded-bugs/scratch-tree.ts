import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/** A copy of the repository for seeding bugs. */
export interface ScratchTree {
  folder: string;
  /** Replaces a text that must occur exactly once; returns a function that restores it. */
  change(change: { file: string; from: string; to: string }): () => void;
  remove(): void;
}

/**
 * Next to the original, because PostgreSQL runs as another user here and needs access to its files.
 * Packages are shared by a link, because bugs are only seeded in our code.
 */
export function copyTree(root: string): ScratchTree {
  const home = join(root, '.pointgate');
  mkdirSync(home, { recursive: true });
  const folder = mkdtempSync(join(home, 'seeded-'));
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root });
  for (const file of listed.toString().split('\n')) {
    if (!/^(contract|server|sandbox|tools|demo)\/|^[^/]+\.(ts|json)$/.test(file)) continue;
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(join(root, file), join(folder, file));
  }
  // npm installs packages that workspaces need in different versions below each of them.
  for (const place of ['.', 'contract', 'server', 'sandbox']) {
    const packages = join(root, place, 'node_modules');
    if (existsSync(packages)) symlinkSync(packages, join(folder, place, 'node_modules'));
  }
  return {
    folder,
    change: ({ file, from, to }) => {
      const path = join(folder, file);
      const text = readFileSync(path, 'utf8');
      const found = text.split(from).length - 1;
      if (found !== 1) {
        throw new Error(`${file} has this ${found} times, where the bug needs it once:\n${from}`);
      }
      writeFileSync(
        path,
        text.replace(from, () => to),
      );
      return () => writeFileSync(path, text);
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
