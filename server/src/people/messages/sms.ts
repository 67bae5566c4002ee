import type { SendResult } from './messages.ts';

/** A provider that sends what it is given: a text, or the name of a text it has approved before. */
export interface Sms<Content> {
  send(message: Content & { to: string }): Promise<SendResult>;
}

export interface FreeText {
  text: string;
}

export interface ApprovedText {
  templateId: string;
  /** What stands in its places, in their order. */
  values: string[];
}
