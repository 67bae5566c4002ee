import { expect, test } from 'vitest';
import { findReadyLine } from './ready-line.ts';

test('a program of a stack is ready once it logs a JSON line with ready true, whatever else it logs', () => {
  const output = [
    '{"level":30,"msg":"connecting"}',
    'Warning: not "ready":true yet',
    '{"ready":false}',
    '{"level":30,"service":"api","ready":true}',
  ].join('\n');

  expect(findReadyLine(output)).toEqual({ level: 30, service: 'api', ready: true });
});

test.each(['', '{"ready":tr', '"ready"', '{"msg":"\\"ready\\":true"}', 'null'])(
  'a program of a stack that wrote %j is not ready',
  (output) => {
    expect(findReadyLine(output)).toBeUndefined();
  },
);
