import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { SMTPServer } from 'smtp-server';
import { keep, type Mailbox, type MailFault, takeFault } from './mailbox.ts';

export type SmtpInput = {
  host: string;
  smtpPort: number;
  /** `name:password`; without it no authentication is required. */
  account: string | undefined;
  /** A key and its certificate enable STARTTLS. */
  tls: { key: string; cert: string } | undefined;
};

export type Smtp = { listen(): Promise<void>; close(): Promise<void>; url(): string };

/** The SMTP answers with which a recipient is rejected. */
const refusals: Partial<Record<MailFault['kind'], { responseCode: number; message: string }>> = {
  refuse: { responseCode: 550, message: '5.1.1 Recipient address rejected: User unknown' },
  block: { responseCode: 550, message: '5.7.1 Client host blocked' },
  later: { responseCode: 451, message: '4.7.1 Greylisted, please try again later' },
};

export function createSmtp(mailbox: Mailbox, input: SmtpInput): Smtp {
  const sockets = new Map<number, Socket>();
  const server = new SMTPServer({
    ...(input.tls ?? {}),
    disabledCommands: input.tls === undefined ? ['STARTTLS'] : [],
    authOptional: input.account === undefined,
    allowInsecureAuth: true,
    disableReverseLookup: true,
    size: 1024 * 1024,
    closeTimeout: 1000,
    onAuth: ({ username, password }, _session, done) => {
      const isKnown = [undefined, `${username}:${password}`].includes(input.account);
      if (isKnown) done(null, { user: username });
      else done(withCode(535, '5.7.8 Authentication credentials invalid'));
    },
    onRcptTo: ({ address }, _session, done) => {
      const fault = takeFault(mailbox, address, ['refuse', 'block', 'later']);
      const refusal = fault === undefined ? undefined : refusals[fault.kind];
      done(refusal === undefined ? null : withCode(refusal.responseCode, refusal.message));
    },
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const recipients = session.envelope.rcptTo.map(({ address }) => address);
        const cut = () => sockets.get(session.remotePort)?.destroy();
        receive(mailbox, { recipients, raw: Buffer.concat(chunks), cut }).then(done, done);
      });
    },
  });
  // A client that disconnects during a transfer is not an error of the server.
  server.on('error', () => {});
  server.server.on('connection', (socket: Socket) => {
    const port = socket.remotePort ?? 0;
    sockets.set(port, socket);
    socket.once('close', () => sockets.delete(port));
  });
  return {
    listen: () =>
      new Promise((resolve, reject) => {
        server.server.once('error', reject);
        server.listen(input.smtpPort, input.host, resolve);
      }),
    close: () => {
      for (const socket of sockets.values()) socket.destroy();
      return new Promise((resolve) => server.close(resolve));
    },
    url: () => `smtp://127.0.0.1:${portOf(server.server.address())}`,
  };
}

async function receive(
  mailbox: Mailbox,
  input: { recipients: string[]; raw: Buffer; cut: () => void },
): Promise<null> {
  const { recipients, raw, cut } = input;
  const [first = ''] = recipients;
  const fault = takeFault(mailbox, first, ['hang', 'cut_before', 'cut_after_commit']);
  if (fault?.kind === 'hang') {
    await wait(fault.hangMs ?? 60_000, undefined, { signal: mailbox.ending.signal });
  }
  if (fault?.kind !== 'cut_before') keep(mailbox, { recipients, raw });
  if (fault?.kind === 'cut_before' || fault?.kind === 'cut_after_commit') cut();
  return null;
}

function withCode(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string')
    throw new Error('The SMTP server is not listening.');
  return address.port;
}
