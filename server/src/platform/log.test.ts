import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

/** Runs code in a process of its own, because the log writes directly to standard output. */
async function logOf(work: string): Promise<Record<string, unknown>[]> {
  const url = new URL('./log.ts', import.meta.url).href;
  const program = `import { addLogFields, log, withLogFields } from '${url}'; ${work}`;
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--input-type=module',
    '--eval',
    program,
  ]);
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

test('a log field whose name says that it is secret is redacted at the top level and one level below', async () => {
  const names = [
    ...['password', 'token', 'ticket', 'data', 'secret', 'cookie', 'authorization'],
    ...['phone', 'email', 'fullName', 'identityNumber'],
  ];
  const values = JSON.stringify(Object.fromEntries(names.map((name) => [name, 'swordfish'])));
  const [line] = await logOf(`log.info({ ...${values}, inner: ${values}, kept: 1 }, 'careless')`);
  const hidden = Object.fromEntries(names.map((name) => [name, '[redacted]']));
  expect(line).toEqual({
    level: 'info',
    time: expect.any(Number),
    ...hidden,
    inner: hidden,
    kept: 1,
    msg: 'careless',
  });
});

test('the log lines of an asynchronous call all have the log fields of that call and none of another call', async () => {
  const lines = await logOf(`
    const work = (requestId, accountId) => withLogFields({ requestId }, async () => {
      await new Promise(setImmediate);
      addLogFields({ accountId });
      await new Promise(setImmediate);
      withLogFields({ jobId: 'inner' }, () => log.info('inside'));
      log.info('after');
    });
    await Promise.all([work('r1', 'a1'), work('r2', 'a2')]);
    addLogFields({ accountId: 'nobody' });
    log.info('outside');`);
  const said = lines.map(({ time: _time, level: _level, ...rest }) => rest);
  expect(said).toEqual([
    { requestId: 'r1', accountId: 'a1', jobId: 'inner', msg: 'inside' },
    { requestId: 'r1', accountId: 'a1', msg: 'after' },
    { requestId: 'r2', accountId: 'a2', jobId: 'inner', msg: 'inside' },
    { requestId: 'r2', accountId: 'a2', msg: 'after' },
    { msg: 'outside' },
  ]);
});

test('an error is logged with its stack', async () => {
  const [line] = await logOf(`log.error({ err: new Error('broken') }, 'job failed')`);
  expect(line).toMatchObject({ err: { message: 'broken', stack: expect.stringContaining('at ') } });
});

test('a database error is logged with its message and constraint, without the row or request attached to it', async () => {
  const lines = await logOf(`
    const cause = Object.assign(new Error('why'), { detail: 'swordfish' });
    const hung = { code: '23514', table: 'identities', constraint: 'are_hashed' };
    const more = { detail: 'Failing row contains (swordfish)', request: { body: 'swordfish' } };
    log.error({ err: Object.assign(new Error('broken', { cause }), hung, more) }, 'job failed');
    log.error({ err: 'swordfish' }, 'something else was thrown');`);
  const error = { type: 'Error', message: 'broken: why', code: '23514', table: 'identities' };
  expect(lines).toMatchObject([
    { err: { ...error, constraint: 'are_hashed' } },
    { err: { type: 'string' } },
  ]);
  expect(JSON.stringify(lines)).not.toContain('swordfish');
});

test('a thrown object that is not an Error is logged only with its message, stack and code', async () => {
  const [object, several] = await logOf(`
    log.error({ err: { message: 'no connection', stack: 'at', code: '57P01', row: 'private' } }, 'job engine');
    log.error({ err: new AggregateError([new Error('refused by ::1')]) }, 'job engine');`);
  expect(object?.err).toEqual({
    type: 'object',
    message: 'no connection',
    stack: 'at',
    code: '57P01',
  });
  expect(several?.err).toMatchObject({ errors: [{ message: 'refused by ::1' }] });
});

test('user input with line breaks stays within its own log line', async () => {
  const lines = await logOf(
    `log.info({ path: 'a\\n{"level":"error","msg":"made up"}\\r\\u2028' }, 'request')`,
  );
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatchObject({ level: 'info', msg: 'request' });
  expect(lines[0]?.path).toBe('a\n{"level":"error","msg":"made up"}\r\u2028');
});
