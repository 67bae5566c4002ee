import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import { loadWords, type PageWords } from '../shared/i18n/words.ts';

/** A page that is loaded on demand: its code and the text namespaces that it needs. */
export function page<Props>(
  load: () => Promise<ComponentType<Props>>,
  words: readonly PageWords[] = [],
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => {
    const [component] = await Promise.all([load(), loadWords(words)]);
    return { default: component };
  });
}
