import { expect, test } from 'vitest';
import { completeLock } from './complete-lock.ts';

const lock = {
  packages: {
    '': {},
    'node_modules/tool': {
      version: '2.0.0',
      optionalDependencies: {
        '@tool/cli-linux-x64': '2.0.0',
        '@tool/cli-linux-arm64-musl': '2.0.0',
        '@tool/cli-darwin-arm64': '2.0.0',
        fsevents: '~2.3.3',
      },
    },
    'node_modules/@tool/cli-linux-x64': { version: '2.0.0', optional: true },
  },
};

test('the npm lock file gets optional packages for other platforms, each for its platform only', () => {
  const { lock: completed, added } = completeLock(lock);

  expect(added).toEqual(['@tool/cli-linux-arm64-musl', '@tool/cli-darwin-arm64']);
  expect(completed.packages['node_modules/@tool/cli-darwin-arm64']).toEqual({
    version: '2.0.0',
    optional: true,
    os: ['darwin'],
    cpu: ['arm64'],
  });
  expect(completed.packages['node_modules/@tool/cli-linux-arm64-musl']?.libc).toEqual(['musl']);
});

test('a complete npm lock file is not changed', () => {
  const { lock: completed } = completeLock(lock);

  expect(completeLock(completed)).toEqual({ lock: completed, added: [] });
});

test('a nested package that is already in the npm lock file is not added again', () => {
  const nested = {
    packages: {
      'node_modules/a/node_modules/tool': { optionalDependencies: { 'cli-win32-x64': '1.0.0' } },
      'node_modules/a/node_modules/cli-win32-x64': { version: '1.0.0' },
    },
  };

  expect(completeLock(nested).added).toEqual([]);
});
