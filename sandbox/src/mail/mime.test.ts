import { expect, test } from 'vitest';
import { parseMail } from './mime.ts';

const lines = (...all: string[]) => Buffer.from(all.join('\r\n'), 'utf8');

test('the mail sandbox decodes and joins the encoded words of a mail header', () => {
  const { from, subject } = parseMail(
    lines(
      'From: =?UTF-8?B?5pel5pyI?= <no-reply@shop.test>',
      'Subject: =?UTF-8?Q?Best=C3=A4tigung_f?=',
      ' =?UTF-8?Q?=C3=BCr?= Solmere',
      '',
      'Hello',
    ),
  );
  expect(from).toBe('日月 <no-reply@shop.test>');
  expect(subject).toBe('Bestätigung für Solmere');
});

test('the mail sandbox reads a folded mail header as one header', () => {
  const { subject } = parseMail(lines('Subject: one', ' two', '\tthree', '', ''));
  expect(subject).toBe('one two\tthree');
});

test.each([
  ['7bit', 'Code 493817', 'Code 493817'],
  ['8bit', 'Mã 493817', 'Mã 493817'],
  ['base64', '57uN5LuLIDQ5\r\nMzgxNw==', '绍介 493817'],
  ['quoted-printable', 'M=C3=A3 =\r\nxác=3D 493817=20', 'Mã xác= 493817 '],
])('the mail sandbox decodes a mail body in %s', (encoding, body, text) => {
  const sent = encoding === 'quoted-printable' ? body.replace('á', '=C3=A1') : body;
  const mail = parseMail(lines(`Content-Transfer-Encoding: ${encoding}`, '', sent));
  expect(mail).toMatchObject({ text, html: null });
});

test('the mail sandbox finds the plain text and the HTML of a mail in nested MIME multipart sections', () => {
  const mail = parseMail(
    lines(
      'Content-Type: multipart/mixed; boundary="outer"',
      '',
      'For readers of long ago.',
      '--outer',
      'Content-Type: multipart/alternative; boundary=inner',
      '',
      '--inner',
      'Content-Type: text/plain; charset=utf-8',
      '',
      'words',
      'more words',
      '--inner',
      'Content-Type: text/html; charset=utf-8',
      'Content-Transfer-Encoding: quoted-printable',
      '',
      '<p lang=3D"de">Wörter</p>'.replace('ö', '=C3=B6'),
      '--inner--',
      '--outer--',
      '',
    ),
  );
  expect(mail).toMatchObject({ text: 'words\nmore words', html: '<p lang="de">Wörter</p>' });
});

test('the mail sandbox reads a malformed mail as empty', () => {
  const nothing = { from: '', subject: '', text: '', html: null };
  expect(parseMail(Buffer.alloc(0))).toEqual(nothing);
  expect(parseMail(Buffer.from('no header, no body'))).toEqual(nothing);
});
