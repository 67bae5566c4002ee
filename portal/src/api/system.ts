import type { System } from '@pointgate/contract/names.ts';

/** The phone's system; a desktop counts as Android. */
export function currentSystem(): System {
  return /iPhone|iPad|iPod/.test(navigator.userAgent) ? 'ios' : 'android';
}
