import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';

const migrations = 'server/migrations';

/**
 * The commit of the previous release: the newest tag v…, or without tags the newest commit whose
 * migrations are a proper subset of ours. PREVIOUS_RELEASE overrides it.
 */
export function previousRelease(root: string): string {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  const resolve = (name: string) => git('rev-parse', '--verify', `${name}^{commit}`);
  if (process.env.PREVIOUS_RELEASE) return resolve(process.env.PREVIOUS_RELEASE);
  if (git('rev-parse', '--is-shallow-repository') === 'true') {
    throw new Error('This clone has no history: git fetch --unshallow --tags');
  }
  const tag = git('tag', '--list', 'v[0-9]*', '--merged', 'HEAD^', '--sort=-version:refname');
  const [newest] = tag.split('\n');
  if (newest) return resolve(newest);
  // Before the first release, a migration may be edited after it was committed.
  const isChangedSince = (commit: string) =>
    git('diff', '--name-only', '--diff-filter=a', commit, 'HEAD', '--', migrations) !== '';
  const changes = git('log', '--format=%H', '--', migrations).split('\n');
  const found = changes.map((change) => `${change}^`).find((commit) => !isChangedSince(commit));
  if (found === undefined)
    throw new Error('No commit has all current migrations except the newest.');
  return resolve(found);
}

export interface Release {
  folder: string;
  remove(): void;
}

/**
 * Checks out a commit into a separate folder, ready to be run. It uses the packages installed here,
 * but its own workspaces: an old server imports its old contract.
 */
export function checkOutRelease(root: string, commit: string): Release {
  const home = join(root, '.pointgate');
  mkdirSync(home, { recursive: true });
  const folder = mkdtempSync(join(home, 'release-'));
  const archive = execFileSync('git', ['archive', '--format=tar', commit], {
    cwd: root,
    maxBuffer: 1024 ** 3,
  });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  linkPackages(root, folder);
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

const ownScope = '@pointgate';

function linkPackages(root: string, folder: string): void {
  const installed = join(root, 'node_modules');
  const linked = join(folder, 'node_modules');
  mkdirSync(linked);
  for (const name of readdirSync(installed)) {
    if (name !== ownScope) symlinkSync(join(installed, name), join(linked, name));
  }
  // npm links workspaces by relative paths, so copied links lead to the workspaces of the checkout.
  cpSync(join(installed, ownScope), join(linked, ownScope), {
    recursive: true,
    verbatimSymlinks: true,
  });
  // Packages in different versions are in node_modules of the workspaces.
  for (const workspace of readdirSync(folder)) {
    const packages = join(root, workspace, 'node_modules');
    if (workspace !== 'node_modules' && existsSync(packages)) {
      symlinkSync(packages, join(folder, workspace, 'node_modules'));
    }
  }
}
