import { type Database, openDatabase } from '../platform/database.ts';
import { createFaultPlan, type FaultPlan } from '../platform/fault-plan.ts';
import {
  atLeast,
  nullable,
  object,
  oneOf,
  optional,
  type ReadBy,
  text,
  whole,
} from '../platform/shape.ts';
import { parseMail } from './mime.ts';

export const faultBody = object({
  kind: oneOf(['refuse', 'block', 'later', 'hang', 'cut_before', 'cut_after_commit']),
  /** Limits the fault to this recipient; by default all. */
  to: optional(text),
  times: optional(atLeast(1)),
  hangMs: optional(atLeast(1)),
});
export type MailFault = Omit<ReadBy<typeof faultBody>, 'times'> & { times: number };

/** The state of one mail server: accepted mails and planned faults. */
export type Mailbox = {
  db: Database;
  faults: FaultPlan<MailFault>;
  /** Aborted when the program ends, so that hanging answers do not delay the exit. */
  ending: AbortController;
};

export function createMailbox(dataFile: string | undefined): Mailbox {
  return {
    db: openDatabase({ file: dataFile, schema }),
    faults: createFaultPlan<MailFault>(),
    ending: new AbortController(),
  };
}

/** Takes the oldest planned fault of these kinds for this recipient and counts it as used once. */
export function takeFault(
  mailbox: Mailbox,
  to: string,
  kinds: readonly MailFault['kind'][],
): MailFault | undefined {
  return mailbox.faults.take(
    (fault) => kinds.includes(fault.kind) && (fault.to === undefined || fault.to === to),
  );
}

const schema = [
  `
-- One row for each recipient, as in real mailboxes.
create table messages (
  id        integer primary key,
  at        text    not null,
  recipient text    not null,
  sender    text    not null,
  subject   text    not null,
  text      text    not null,
  html      text,
  raw       text    not null
);
create index messages_by_recipient on messages (recipient);
`,
];

const messageRow = object({
  id: whole,
  at: text,
  recipient: text,
  sender: text,
  subject: text,
  text,
  html: nullable(text),
  raw: text,
});
export type Message = ReadBy<typeof messageRow>;

export function keep(
  mailbox: Mailbox,
  input: { recipients: readonly string[]; raw: Buffer },
): void {
  const { from, subject, text, html } = parseMail(input.raw);
  mailbox.db.transaction(() => {
    for (const recipient of input.recipients) {
      mailbox.db.run(
        `insert into messages (at, recipient, sender, subject, text, html, raw)
         values (?, ?, ?, ?, ?, ?, ?)`,
        ...[new Date().toISOString(), recipient, from, subject, text, html],
        input.raw.toString('utf8'),
      );
    }
  });
}

/** The messages of one recipient or of all, newest first. */
export function newestMessages(mailbox: Mailbox, to: string | undefined, limit = 100): Message[] {
  return mailbox.db.all(
    messageRow,
    'select * from messages where ?1 is null or recipient = ?1 order by id desc limit ?2',
    to ?? null,
    limit,
  );
}

export function messageOf(mailbox: Mailbox, id: number): Message | undefined {
  return mailbox.db.one(messageRow, 'select * from messages where id = ?', id);
}
