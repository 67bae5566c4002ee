import type { SendResult } from './message.ts';

/** An SMS provider, which sends a given text or a pre-approved template. */
export interface Sms<Content> {
  send(message: Content & { to: string }): Promise<SendResult>;
}

export interface FreeText {
  text: string;
}

export interface ApprovedText {
  templateId: string;
  /** The template parameters, in order. */
  values: string[];
}
