import type { KeyObject } from 'node:crypto';
import { signed } from '../platform/rsa.ts';
import type { Provider } from './provider.ts';

/** What a signature covers: the fields in order of their names, as they are before any encoding. */
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

/** The key whose turn it is. */
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

/** An answer is signed over exactly these letters, slashes written as the provider writes them. */
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
