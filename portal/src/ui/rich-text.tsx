import type { Locale } from '@pointgate/contract/locales.ts';
import { lazy, Suspense } from 'react';
import './rich-text.css';
import { Spinner } from './spinner.tsx';

const CleanedText = lazy(async () => ({
  default: (await import('./cleaned-text.tsx')).CleanedText,
}));

interface RichTextProps {
  html: string;
  /** What it is written in, which may not be the language of the page. */
  locale: Locale;
}

/** A text that an operator wrote. What cleans it comes with the first such text. */
export function RichText({ html, locale }: RichTextProps) {
  return (
    <Suspense fallback={<Spinner />}>
      <CleanedText html={html} locale={locale} />
    </Suspense>
  );
}
