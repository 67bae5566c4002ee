import { readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

export type Account = { uid: number; gid: number };

/**
 * The system account of the servers: PostgreSQL refuses to run as root, so root uses another
 * account. Null means the current one.
 */
export function serviceAccount(): Account | null {
  if (process.getuid?.() !== 0) return null;
  const passwd = readFileSync('/etc/passwd', 'utf8');
  const account = findAccount(passwd, 'postgres') ?? findAccount(passwd, 'nobody');
  if (account === undefined) {
    throw new Error(
      'PostgreSQL does not run as root, and there is neither a user "postgres" nor "nobody" to run it as.',
    );
  }
  return account;
}

export function findAccount(passwd: string, name: string): Account | undefined {
  for (const line of passwd.split('\n')) {
    const [user, , uid, gid] = line.split(':');
    if (user === name && uid && gid) return { uid: Number(uid), gid: Number(gid) };
  }
  return undefined;
}

/** Whether the account can access the path: it needs execute permission on every parent folder. */
export function canReach(account: Account | null, path: string): boolean {
  if (account === null) return true;
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const stat = statSync(folder, { throwIfNoEntry: false });
    if (stat !== undefined && !letsThrough(account, stat)) return false;
    if (folder === dirname(folder)) return true;
  }
}

function letsThrough(account: Account, stat: { mode: number; uid: number; gid: number }): boolean {
  if (stat.uid === account.uid) return (stat.mode & 0o100) !== 0;
  if (stat.gid === account.gid) return (stat.mode & 0o010) !== 0;
  return (stat.mode & 0o001) !== 0;
}
