import type { KeyObject } from 'node:crypto';
import { signed } from '../platform/rsa.ts';
import type { Provider } from './provider.ts';

/** The text that a signature covers: the unencoded fields, sorted by name. */
export function signedText(
  fields: Readonly<Record<string, string>>,
  without: readonly string[],
): string {
  return Object.keys(fields)
    .filter((name) => !without.includes(name) && fields[name] !== '')
    .sort()
    .map((name) => `${name}=${fields[name]}`)
    .join('&');
}

/** The planned signing key. */
export function signingKey(provider: Provider): KeyObject {
  const [first, next] = provider.settings.keys;
  provider.signatures += 1;
  switch (provider.keyPlan.signWith) {
    case 'first':
      return first;
    case 'next':
      return next;
    case 'alternate':
      return provider.signatures % 2 === 1 ? first : next;
  }
}

/** Signs an answer over exactly this text, with slashes escaped as the provider does. */
export function signedAnswer(input: { name: string; content: string; key: KeyObject }): string {
  const { name, content, key } = input;
  return `{"${name}":${content},"sign":"${signed(content, key)}"}`;
}

export function answerName(method: string): string {
  return `${method.replaceAll('.', '_')}_response`;
}

export function contentOf(answer: object): string {
  return JSON.stringify(answer).replaceAll('/', '\\/');
}
