import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { checkOutRelease, previousRelease } from './previous-release.ts';

function givenRepository() {
  const root = mkdtempSync(join(tmpdir(), 'pointgate-releases-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const who = ['-c', 'user.name=Ana', '-c', 'user.email=ana@example.com'];
  const git = (...args: string[]) =>
    execFileSync('git', [...who, ...args], { cwd: root, encoding: 'utf8' }).trim();
  git('init', '--quiet');
  return {
    root,
    git,
    commit: (files: Record<string, string>) => {
      for (const [file, text] of Object.entries(files)) {
        mkdirSync(join(root, file, '..'), { recursive: true });
        writeFileSync(join(root, file), text);
      }
      git('add', '.');
      git('commit', '--quiet', '--message', 'orders: change something');
      return git('rev-parse', 'HEAD');
    },
  };
}

const one = { 'server/migrations/0001_one.sql': 'select 1;' };
const two = { 'server/migrations/0002_two.sql': 'select 2;' };

test('the previous release for the upgrade drill is the commit before the newest migration if there is no tag', () => {
  const { root, commit } = givenRepository();
  commit(one);
  const before = commit({ 'server/api.ts': 'old' });
  commit(two);
  commit({ 'server/api.ts': 'new' });

  expect(previousRelease(root)).toBe(before);
});

test('the previous release for the upgrade drill is a commit that contains no migration which was edited later', () => {
  const { root, commit } = givenRepository();
  const before = commit(one);
  commit(two);
  commit({ 'server/migrations/0003_three.sql': 'select 3;' });
  commit({ 'server/migrations/0002_two.sql': 'select 22;' });

  expect(previousRelease(root)).toBe(before);
});

test('the previous release for the upgrade drill is the newest tag before this commit, by version and not by name', () => {
  const { root, git, commit } = givenRepository();
  commit(one);
  git('tag', 'v0.9.0');
  const newest = commit({ 'server/api.ts': 'old' });
  git('tag', 'v0.10.0');
  commit(two);
  git('tag', 'v0.11.0');

  expect(previousRelease(root)).toBe(newest);
});

test('a release checked out for the upgrade drill has its own workspace packages and the installed npm packages', () => {
  const { root, commit } = givenRepository();
  const release = commit({
    'contract/orders.ts': 'old',
    '.gitignore': 'node_modules\n.pointgate\n',
  });
  commit({ 'contract/orders.ts': 'new' });
  mkdirSync(join(root, 'node_modules/@pointgate'), { recursive: true });
  mkdirSync(join(root, 'node_modules/zod'));
  writeFileSync(join(root, 'node_modules/zod/index.js'), 'a package');
  execFileSync('ln', ['-s', '../../contract', join(root, 'node_modules/@pointgate/contract')]);

  const { folder, remove } = checkOutRelease(root, release);
  const read = (file: string) => readFileSync(join(folder, 'node_modules', file), 'utf8');

  expect(read('@pointgate/contract/orders.ts')).toBe('old');
  expect(read('zod/index.js')).toBe('a package');
  remove();
  expect(existsSync(folder)).toBe(false);
  expect(existsSync(join(root, 'node_modules/zod/index.js'))).toBe(true);
});
