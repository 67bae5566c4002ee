import type { AlipaySdk } from 'alipay-sdk';

/** Whether one of the keys has signed the fields of a notification. */
export function isSigned(verifiers: readonly AlipaySdk[], form: Record<string, string>): boolean {
  // The SDK would verify with the algorithm that the message names, even a weak one.
  if (form.sign_type !== 'RSA2') return false;
  return verifiers.some((sdk) => isSignedFor(sdk, form));
}

function isSignedFor(sdk: AlipaySdk, form: Record<string, string>): boolean {
  try {
    return sdk.checkNotifySignV2(form);
  } catch {
    return false;
  }
}
