export interface StripeOptions {
  secretKey: string;
  /** Two during a rotation. */
  webhookSecrets: readonly string[];
  /** Replaces Stripe's API URL, for the sandbox. */
  apiBase?: string | undefined;
}
