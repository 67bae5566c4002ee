import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { locales } from '@pointgate/contract/locales.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  arrived,
  faultsLeft,
  givenAddress,
  givenCode,
  type MessageWorld,
  startMessageWorld,
} from '../../../test/messages.ts';
import { log } from '../../platform/log.ts';

let world: MessageWorld;
beforeAll(async () => {
  log.level = 'silent';
  world = await startMessageWorld();
});
beforeEach(() => world.mail.tell('/__sandbox/reset', {}));
afterAll(() => world.stop());

const fault = (kind: string, more: object = {}) =>
  world.mail.tell('/__sandbox/faults', { kind, ...more });

describe('codes by mail', () => {
  test.each(locales)(
    'a mailed one-time code in %s arrives unchanged as plain text and as HTML',
    async (locale) => {
      const to = givenAddress();
      const message = givenCode({ to, locale, siteTitle: '日月 Sölmère <Köln> & 솔메르' });

      expect(await world.messages.mailCode(message)).toBe('sent');

      const [mail, ...more] = await arrived(world.mail, to);
      expect(more).toEqual([]);
      expect(mail?.subject).toContain(message.siteTitle);
      expect(mail?.subject).not.toContain(message.code);
      expect(mail?.from).toContain('<no-reply@solmere.test>');
      expect(mail?.from).toContain('솔메르');
      expect(mail?.text).toMatch(/^493817$/m);
      expect(mail?.text).toContain('10');
      expect(mail?.text).toContain(message.siteTitle);
      expect(mail?.html).toContain(`<html lang="${locale}">`);
      expect(mail?.html).toContain('>493817<');
      expect(mail?.html).toContain('日月 Sölmère &lt;Köln&gt; &amp; 솔메르');
    },
  );

  test('three one-time codes mailed in a row to one mail address all arrive', async () => {
    const to = givenAddress();
    for (const code of ['111111', '222222', '333333']) {
      expect(await world.messages.mailCode(givenCode({ to, code }))).toBe('sent');
    }
    expect(await arrived(world.mail, to)).toHaveLength(3);
  });

  test('a shop without a mail server cannot send a one-time code by mail', async () => {
    const without = world.open({ mail: undefined });
    expect(without.canMail).toBe(false);
    expect(world.messages.canMail).toBe(true);
    await expect(without.mailCode(givenCode({ to: givenAddress() }))).rejects.toThrow(
      'no mail server',
    );
  });
});

describe('mail recipients', () => {
  test('a one-time code mailed to a recipient unknown to the mail server has the outcome refused', async () => {
    const to = givenAddress();
    await fault('refuse', { to });
    expect(await world.messages.mailCode(givenCode({ to }))).toBe('refused');
    expect(await arrived(world.mail, to)).toEqual([]);
  });

  test.each(['block', 'later'])(
    'a mailed one-time code rejected by the mail server for a reason other than its recipient (%s) has the outcome unknown, without a retry',
    async (kind) => {
      const to = givenAddress();
      await fault(kind, { to, times: 2 });
      expect(await world.messages.mailCode(givenCode({ to }))).toBe('unknown');
      expect(await faultsLeft(world.mail)).toBe(1);
      await world.mail.tell('/__sandbox/reset', {});
      expect(await world.messages.mailCode(givenCode({ to }))).toBe('sent');
    },
  );

  test.each([
    'player@mail.test\r\nBcc: thief@mail.test',
    'player@mail.test\nRCPT TO:<thief@mail.test>',
    'player@mail.test, thief@mail.test',
    'player@mail.test;thief@mail.test',
    'Player <thief@mail.test>',
    '"thief@mail.test"@mail.test',
    'thief@mail.test> SIZE=1\r\n',
    'thief@mail.test\0',
    'player@mail.test@thief.test',
    'nobody',
    '',
    `${'x'.repeat(250)}@mail.test`,
  ])(
    'a one-time code for a recipient that is not a single plain mail address is refused before sending: %j',
    async (to) => {
      const before = await world.mail.ask('/__sandbox/messages');
      expect(await world.messages.mailCode(givenCode({ to }))).toBe('refused');
      expect(await world.mail.ask('/__sandbox/messages')).toEqual(before);
    },
  );

  test('a site title with line breaks cannot inject a mail header or recipient', async () => {
    const to = givenAddress();
    const siteTitle = 'Solmere\r\nBcc: thief@mail.test\r\n\r\nHello';
    expect(await world.messages.mailCode(givenCode({ to, siteTitle }))).toBe('sent');

    const [mail] = await arrived(world.mail, to);
    const raw = await fetch(`${world.mail.url}/__sandbox/messages/${mail?.id}/raw`);
    expect(await raw.text()).not.toMatch(/^Bcc:/im);
    expect(await arrived(world.mail, 'thief@mail.test')).toEqual([]);
  });
});

describe('undetermined mail outcomes', () => {
  test('a mail whose connection is lost after the mail server accepted it has the outcome unknown', async () => {
    const to = givenAddress();
    await fault('cut_after_commit', { to });
    expect(await world.messages.mailCode(givenCode({ to }))).toBe('unknown');
    expect(await arrived(world.mail, to)).toHaveLength(1);
  });

  test('a mail whose connection is lost before the mail server accepted it has the outcome unknown, without a retry', async () => {
    const to = givenAddress();
    await fault('cut_before', { to, times: 2 });
    expect(await world.messages.mailCode(givenCode({ to }))).toBe('unknown');
    expect(await arrived(world.mail, to)).toEqual([]);
    expect(await faultsLeft(world.mail)).toBe(1);
  });

  test('a mail has the outcome unknown after the timeout when the mail server hangs', async () => {
    const to = givenAddress();
    const impatient = world.open({ timeoutMs: 300 });
    await fault('hang', { to, hangMs: 60_000 });
    expect(await impatient.mailCode(givenCode({ to }))).toBe('unknown');
  });

  test('a mail has the outcome unknown after the timeout when the mail server sends an endless greeting slowly', async () => {
    const server = createServer((socket) => {
      const timer = setInterval(() => socket.write('220-welcome\r\n'), 20);
      socket.on('close', () => clearInterval(timer)).on('error', () => {});
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const mail = { smtpUrl: `smtp://127.0.0.1:${port}`, from: 'no-reply@solmere.test' };
    const talked = world.open({ mail, timeoutMs: 300 });
    expect(await talked.mailCode(givenCode({ to: givenAddress() }))).toBe('unknown');
    server.close();
  });

  test('a mail to an unreachable mail server has the outcome unknown', async () => {
    const mail = { smtpUrl: 'smtp://127.0.0.1:9', from: 'no-reply@solmere.test' };
    expect(await world.open({ mail }).mailCode(givenCode({ to: givenAddress() }))).toBe('unknown');
  });

  test('the next mail after a lost SMTP connection is sent normally', async () => {
    const to = givenAddress();
    await fault('cut_after_commit', { to });
    await world.messages.mailCode(givenCode({ to }));
    expect(await world.messages.mailCode(givenCode({ to, code: '222222' }))).toBe('sent');
    expect(await arrived(world.mail, to)).toHaveLength(2);
  });
});

describe('mail in production', () => {
  let folder: string;
  let secured: MessageWorld;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'pointgate-tls-'));
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    const made = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', cert];
    const named = [
      '-days',
      '2',
      '-subj',
      '/CN=127.0.0.1',
      '-addext',
      'subjectAltName=IP:127.0.0.1',
    ];
    execFileSync('openssl', [...made, ...named], { stdio: 'ignore' });
    secured = await startMessageWorld({
      SMTP_TLS_KEY_FILE: key,
      SMTP_TLS_CERT_FILE: cert,
      SMTP_ACCOUNT: 'shop:p@ss word',
    });
  });
  afterAll(async () => {
    await secured.stop();
    rmSync(folder, { recursive: true });
  });

  const open = (at: MessageWorld, account: string, query = '') => {
    const smtpUrl = at.config.mail.smtpUrl.replace('//', `//${account}`) + query;
    return at.open({ isProduction: true, mail: { ...at.config.mail, smtpUrl } });
  };

  test.each(['', '?ignoreTLS=true&requireTLS=false'])(
    'a production shop sends no mail without TLS, whatever the parameters of the SMTP URL: "%s"',
    async (query) => {
      const to = givenAddress();
      expect(await open(world, '', query).mailCode(givenCode({ to }))).toBe('unknown');
      expect(await arrived(world.mail, to)).toEqual([]);
    },
  );

  test.each(['', '?tls.rejectUnauthorized=false'])(
    'a mail server with an untrusted certificate gets no mail, whatever the parameters of the SMTP URL: "%s"',
    async (query) => {
      const to = givenAddress();
      const account = 'shop:p%40ss%20word@';
      expect(await open(secured, account, query).mailCode(givenCode({ to }))).toBe('unknown');
      expect(await arrived(secured.mail, to)).toEqual([]);
    },
  );

  test('a mail is sent over TLS to a server with a trusted certificate and the right credentials', async () => {
    const defaults = getCACertificates();
    setDefaultCACertificates([...defaults, readFileSync(join(folder, 'cert.pem'), 'utf8')]);
    try {
      const to = givenAddress();
      const message = givenCode({ to });
      expect(await open(secured, 'shop:wrong@').mailCode(message)).toBe('unknown');
      expect(await arrived(secured.mail, to)).toEqual([]);
      expect(await open(secured, 'shop:p%40ss%20word@').mailCode(message)).toBe('sent');
      expect(await arrived(secured.mail, to)).toHaveLength(1);
    } finally {
      setDefaultCACertificates(defaults);
    }
  });
});
