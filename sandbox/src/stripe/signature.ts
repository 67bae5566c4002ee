import { createHmac } from 'node:crypto';

/** The value of the Stripe-Signature header for exactly these bytes. */
export function signatureHeader(input: {
  secret: string;
  timestamp: number;
  payload: string;
}): string {
  const { secret, timestamp, payload } = input;
  const v1 = createHmac('sha256', secret).update(`${timestamp}.${payload}`).digest('hex');
  return `t=${timestamp},v1=${v1}`;
}

/** Changes one digit of the first amount: still valid JSON, and what a forger would change. */
export function tampered(payload: string): string {
  return payload.replace(/("amount(?:_total)?": )(\d)/, (_match, before: string, digit: string) => {
    return before + (digit === '9' ? '8' : String(Number(digit) + 1));
  });
}
