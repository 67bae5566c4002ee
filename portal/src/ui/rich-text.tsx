import type { Locale } from '@pointgate/contract/locales.ts';
import { type MouseEvent, type ReactNode, Suspense, use } from 'react';
import { useInRouterContext, useNavigate } from 'react-router';
import './rich-text.css';

let cleaner: Promise<typeof import('./cleaned-text.tsx')> | undefined;

/** What cleans such a text comes with the first of them; a page that will have one asks for it early. */
export function loadCleaner() {
  cleaner ??= import('./cleaned-text.tsx').catch((error: unknown) => {
    // What did not come this time is asked for again the next.
    cleaner = undefined;
    throw error;
  });
  return cleaner;
}

/** Waits for it as for the text itself: else the page would stand there without and then jump. */
export function useCleaner() {
  return use(loadCleaner());
}

interface RichTextProps {
  html: string;
  /** What it is written in, which may not be the language of the page. */
  locale: Locale;
}

/** A text that an operator wrote. */
export function RichText(props: RichTextProps) {
  const isInPortal = useInRouterContext();
  const text = <Cleaned {...props} />;
  return (
    <Suspense fallback={<div className="skeleton rich-text-skeleton" />}>
      {isInPortal ? <WithLinks>{text}</WithLinks> : text}
    </Suspense>
  );
}

function Cleaned(props: RichTextProps) {
  const { CleanedText } = useCleaner();
  return <CleanedText {...props} />;
}

/** Links to other pages of the portal go there without loading it anew. */
function WithLinks({ children }: { children: ReactNode }) {
  const navigate = useNavigate();
  const follow = (event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    const path = link?.getAttribute('href');
    if (!path?.startsWith('/') || isForAnotherTab(event)) return;
    event.preventDefault();
    void navigate(path);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the links inside are what is pressed.
    // biome-ignore lint/a11y/useKeyWithClickEvents: Enter on a link is a click.
    <div onClick={follow}>{children}</div>
  );
}

function isForAnotherTab({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean {
  return button !== 0 || metaKey || ctrlKey || shiftKey || altKey;
}
