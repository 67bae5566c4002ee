import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cloneDatabase } from '../../../test/database.ts';
import {
  arrived,
  givenAddress,
  givenCode,
  givenForeignNumber,
  type MessageWorld,
  startMessageWorld,
} from '../../../test/messages.ts';
import { log } from '../../platform/log.ts';

let world: MessageWorld;
beforeAll(async () => {
  log.level = 'silent';
  world = await startMessageWorld();
});
afterAll(() => world.stop());

test('an attempt to send a one-time code inside a database transaction throws and sends nothing', async () => {
  const database = await cloneDatabase();
  const db = database.open(1);
  const [mailed, texted] = [givenAddress(), givenForeignNumber()];
  const { mailCode, textCode } = world.messages;
  await expect(db.transaction(() => mailCode(givenCode({ to: mailed })))).rejects.toThrow(
    'inside a transaction',
  );
  await expect(db.transaction(() => textCode(givenCode({ to: texted })))).rejects.toThrow(
    'inside a transaction',
  );
  expect(await arrived(world.mail, mailed)).toEqual([]);
  expect(await arrived(world.sms, texted)).toEqual([]);
  await db.close();
  await database.drop();
});

// Runs in a separate process, to capture everything it writes, including logs of libraries.
test('logs contain no one-time code, no full recipient and no credential, whatever the outcome of sending a code', async () => {
  const secrets = ['tencent-secret', 'twilio-secret', 'smtp-secret', '493817'];
  const recipients = [
    ...['mailCode hidden.person@mail.test', 'mailCode bounced.person@mail.test'],
    ...['textCode +8613900139001', 'textCode +4915211111111', 'textCode +15005550001'],
    ...['textCode +861080013800', 'textCode +4915222222222', 'textCode +8613900139002'],
  ].map((line) => line.split(' '));
  await world.mail.tell('/__sandbox/faults', { kind: 'refuse', to: 'bounced.person@mail.test' });
  await world.sms.tell('/__sandbox/faults', { kind: 'cut_after_commit', to: '+4915222222222' });
  await world.sms.tell('/__sandbox/faults', { kind: 'http500_before', to: '+8613900139002' });
  const smtpUrl = world.config.mail.smtpUrl.replace('//', '//shop:smtp-secret@');
  const config = { ...world.config, mail: { ...world.config.mail, smtpUrl } };
  const script = `
    import { openMessages } from ${JSON.stringify(new URL('messages.ts', import.meta.url).href)};
    const messages = openMessages(${JSON.stringify(config)});
    for (const [call, to] of ${JSON.stringify(recipients)}) {
      console.log(await messages[call]({ ...${JSON.stringify(givenCode({ to: '' }))}, to }));
    }
    process.exit(0);`;

  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '-e', script],
    { env: { TWILIO_LOG_LEVEL: 'debug' } },
  );

  const lines = stdout.trim().split('\n');
  expect(lines.filter((line) => !line.startsWith('{'))).toEqual([
    ...['sent', 'refused', 'sent', 'sent', 'refused', 'refused', 'unknown', 'unknown'],
  ]);
  const written = lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line));
  expect(written.map(({ by, to, cause }) => `${by} ${to} ${cause}`)).toEqual([
    'mail b***@mail.test EENVELOPE RCPT TO 550',
    'twilio +15***01 21211',
    'tencent +86***00 InvalidParameterValue.IncorrectPhoneNumber',
    'twilio +49***22 ECONNRESET',
    'tencent +86***02 HTTP 500',
  ]);
  for (const secret of [...secrets, ...recipients.map(([, to]) => to)]) {
    expect(stdout + stderr).not.toContain(secret);
  }
});
