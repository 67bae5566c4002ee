import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Program, startProgram } from '../../test/programs.ts';

let folder: string;
let mail: Program;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sandbox-'));
  mail = await startProgram('mail', { DATA_FILE: join(folder, 'mail.sqlite') });
});
afterAll(async () => {
  await mail.stop();
  await rm(folder, { recursive: true });
});

const from = 'Shop <shop@mail.test>';

async function send(message: object): Promise<void> {
  // The sandbox is part of this project and answers the address of its SMTP server.
  const { smtp } = (await mail.get('/__sandbox/health')) as { smtp: string };
  await createTransport(smtp).sendMail({ from, subject: 'Hello', text: 'Words', ...message });
}

const pageOf = async (path: string) => {
  const response = await fetch(mail.url + path);
  return { headers: response.headers, text: await response.text() };
};

test('the mail sandbox keeps a copy of a mail for each recipient, newest first', async () => {
  await send({ to: ['one@mail.test', 'two@mail.test'], subject: 'First' });
  await send({ to: 'one@mail.test', bcc: 'three@mail.test', subject: 'Second' });

  const subjectsFor = async (to: string) => {
    const { messages } = (await mail.get(`/__sandbox/messages?to=${to}`)) as {
      messages: { subject: string }[];
    };
    return messages.map(({ subject }) => subject);
  };
  expect(await subjectsFor('one@mail.test')).toEqual(['Second', 'First']);
  expect(await subjectsFor('two@mail.test')).toEqual(['First']);
  expect(await subjectsFor('three@mail.test')).toEqual(['Second']);
});

test('the mail sandbox shows a mail as escaped text in its inbox and as sandboxed HTML on a page of its own', async () => {
  await send({ to: 'reader@mail.test', text: '<b>Wörter</b>', html: '<p>Seite</p>' });

  const inbox = await pageOf('/__sandbox?to=reader@mail.test');
  expect(inbox.text).toContain('&lt;b&gt;Wörter&lt;/b&gt;');
  const [, link = ''] = /href="([^"]+\/html)"/.exec(inbox.text) ?? [];
  const page = await pageOf(link);
  expect(page.text).toBe('<p>Seite</p>');
  expect(page.headers.get('content-security-policy')).toMatch(/^sandbox; default-src 'none'/);
});

test.each([
  ['refuse', 550],
  ['block', 550],
  ['later', 451],
])(
  'the mail sandbox refuses a mail recipient once with the planned SMTP fault %s',
  async (kind, responseCode) => {
    await mail.tell('/__sandbox/faults', { kind, to: 'wrong@mail.test' });
    await send({ to: 'right@mail.test' });
    await expect(send({ to: 'wrong@mail.test' })).rejects.toMatchObject({ responseCode });
    await send({ to: 'wrong@mail.test' });
  },
);

test('the mail sandbox keeps accepted mails when it is killed and restarted', async () => {
  await send({ to: 'kept@mail.test' });
  mail.process.kill('SIGKILL');
  await once(mail.process, 'exit');

  mail = await startProgram('mail', { DATA_FILE: join(folder, 'mail.sqlite') });
  expect(await mail.get('/__sandbox/messages?to=kept@mail.test')).toMatchObject({
    messages: [{ subject: 'Hello', text: 'Words\n' }],
  });
});
