/** The readable parts of a mail. */
export type ParsedMail = { from: string; subject: string; text: string; html: string | null };

type Part = { headers: Map<string, string>; body: Buffer };

/**
 * Parses a mail: encoded words in headers, nested multipart alternatives, quoted-printable and
 * base64 bodies, all in UTF-8. It covers well-formed mails only.
 */
export function parseMail(raw: Buffer): ParsedMail {
  const whole = partOf(raw);
  const leaves = leavesOf(whole);
  const textOf = (type: string) => {
    const leaf = leaves.find((part) => contentTypeOf(part).type === type);
    return leaf === undefined ? undefined : bodyOf(leaf).replaceAll('\r\n', '\n');
  };
  return {
    from: decodeWords(whole.headers.get('from') ?? ''),
    subject: decodeWords(whole.headers.get('subject') ?? ''),
    text: textOf('text/plain') ?? '',
    html: textOf('text/html') ?? null,
  };
}

function partOf(raw: Buffer): Part {
  const end = raw.indexOf('\r\n\r\n');
  const head = end < 0 ? raw : raw.subarray(0, end);
  const headers = new Map<string, string>();
  // A line that begins with white space continues the previous header.
  for (const line of head
    .toString('utf8')
    .replace(/\r\n(?=[ \t])/g, '')
    .split('\r\n')) {
    const colon = line.indexOf(':');
    if (colon > 0) headers.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim());
  }
  return { headers, body: end < 0 ? Buffer.alloc(0) : raw.subarray(end + 4) };
}

function contentTypeOf({ headers }: Part): { type: string; boundary: string | undefined } {
  const header = headers.get('content-type') ?? 'text/plain';
  const [type = ''] = header.split(';');
  const [, quoted, bare] = /boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(header) ?? [];
  return { type: type.trim().toLowerCase(), boundary: quoted ?? bare };
}

function leavesOf(part: Part): Part[] {
  const { type, boundary } = contentTypeOf(part);
  if (!type.startsWith('multipart/') || boundary === undefined) return [part];
  // Decoded as latin1, one character per byte, so that splitting changes no bytes.
  const pieces = `\r\n${part.body.toString('latin1')}`.split(`\r\n--${boundary}`);
  return pieces
    .slice(1)
    .filter((piece) => !piece.startsWith('--'))
    .flatMap((piece) => leavesOf(partOf(Buffer.from(piece.replace(/^[ \t]*\r\n/, ''), 'latin1'))));
}

function bodyOf({ headers, body }: Part): string {
  const encoding = headers.get('content-transfer-encoding')?.toLowerCase();
  if (encoding === 'base64') return Buffer.from(body.toString('latin1'), 'base64').toString('utf8');
  if (encoding !== 'quoted-printable') return body.toString('utf8');
  return decodeQuoted(body.toString('latin1').replace(/=[ \t]*\r\n/g, '')).toString('utf8');
}

function decodeQuoted(quoted: string): Buffer {
  const bytes = quoted.replace(/=([\dA-F]{2})/gi, (_, hex) =>
    String.fromCharCode(Number(`0x${hex}`)),
  );
  return Buffer.from(bytes, 'latin1');
}

/** `=?UTF-8?B?…?=` and `=?UTF-8?Q?…?=`; white space between two encoded words is dropped. */
function decodeWords(header: string): string {
  return header
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([BQ])\?([^?]*)\?=/gi, (_, encoding: string, word: string) => {
      if (encoding.toUpperCase() === 'B') return Buffer.from(word, 'base64').toString('utf8');
      return decodeQuoted(word.replaceAll('_', ' ')).toString('utf8');
    });
}
