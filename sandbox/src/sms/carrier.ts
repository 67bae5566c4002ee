import { setTimeout as wait } from 'node:timers/promises';
import { type Database, openDatabase } from '../platform/database.ts';
import { createFaultPlan, type FaultPlan } from '../platform/fault-plan.ts';
import { atLeast, object, oneOf, optional, type ReadBy, text, whole } from '../platform/shape.ts';

const providers = ['tencent', 'twilio'] as const;
export type Provider = (typeof providers)[number];

export const faultBody = object({
  kind: oneOf([
    'throttle',
    'refuse',
    'http500_before',
    'hang',
    'http500_after_commit',
    'cut_after_commit',
  ]),
  provider: optional(oneOf(providers)),
  to: optional(text),
  times: optional(atLeast(1)),
  hangMs: optional(atLeast(1)),
});
export type SmsFault = Omit<ReadBy<typeof faultBody>, 'times'> & { times: number };

export type TencentAccount = {
  secretId: string;
  secretKey: string;
  appId: string;
  /** The approved SMS signature, with which each message begins. */
  sign: string;
  /** The approved templates by id, with placeholders `{1}`, `{2}`, …. */
  templates: Record<string, string>;
};

export type TwilioAccount = { accountSid: string; authToken: string; from: string };

/** The state common to both providers: accepted messages and planned faults. */
export type Carrier = {
  db: Database;
  faults: FaultPlan<SmsFault>;
  tencent: TencentAccount;
  twilio: TwilioAccount;
  /** Aborted when the program ends, so that hanging answers do not delay the exit. */
  ending: AbortController;
};

export function createCarrier(input: {
  tencent: TencentAccount;
  twilio: TwilioAccount;
  dataFile: string | undefined;
}): Carrier {
  const { tencent, twilio } = input;
  return {
    db: openDatabase({ file: input.dataFile, schema }),
    faults: createFaultPlan<SmsFault>(),
    tencent,
    twilio,
    ending: new AbortController(),
  };
}

/** Takes the matching fault; a hanging one has waited by the time this returns. */
export async function takeFault(
  carrier: Carrier,
  about: { provider: Provider; to: string | undefined },
): Promise<SmsFault['kind'] | undefined> {
  const fault = carrier.faults.take(
    ({ provider, to }) =>
      (provider === undefined || provider === about.provider) &&
      (to === undefined || to === about.to),
  );
  if (fault?.kind === 'hang') {
    await wait(fault.hangMs ?? 60_000, undefined, { signal: carrier.ending.signal });
  }
  return fault?.kind;
}

const schema = [
  `
create table messages (
  id        integer primary key,
  at        text    not null,
  provider  text    not null,
  recipient text    not null,
  sender    text    not null,
  text      text    not null
);
create index messages_by_recipient on messages (recipient);
`,
];

const messageRow = object({
  id: whole,
  at: text,
  provider: oneOf(providers),
  recipient: text,
  sender: text,
  text,
});
export type Message = ReadBy<typeof messageRow>;

export function keep(carrier: Carrier, message: Omit<Message, 'id' | 'at'>): void {
  const { provider, recipient, sender } = message;
  carrier.db.run(
    'insert into messages (at, provider, recipient, sender, text) values (?, ?, ?, ?, ?)',
    ...[new Date().toISOString(), provider, recipient, sender, message.text],
  );
}

/** The messages of one recipient or of all, newest first. */
export function newestMessages(carrier: Carrier, to: string | undefined, limit = 100): Message[] {
  return carrier.db.all(
    messageRow,
    'select * from messages where ?1 is null or recipient = ?1 order by id desc limit ?2',
    to ?? null,
    limit,
  );
}
