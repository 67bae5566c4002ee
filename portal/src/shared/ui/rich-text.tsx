import type { Locale } from '@pointgate/contract/locales.ts';
import { type MouseEvent, type ReactNode, use, useLayoutEffect, useRef } from 'react';
import { useInRouterContext, useNavigate } from 'react-router';
import { nextTask } from './next-task.ts';
import './rich-text.css';

let cleaner: Promise<typeof import('./clean-nodes.ts')> | undefined;

/** Loads the sanitiser with the first text; pages with a text preload it. */
export function loadCleaner() {
  cleaner ??= import('./clean-nodes.ts').catch((error: unknown) => {
    // A failed load is retried by the next call.
    cleaner = undefined;
    throw error;
  });
  return cleaner;
}

// Cached, because a suspended component requests its text again after the wait.
const cleanedTexts = new Map<string, Promise<DocumentFragment>>();

function cleaned(html: string): Promise<DocumentFragment> {
  const known = cleanedTexts.get(html);
  if (known !== undefined) return known;
  const nodes = clean(html);
  cleanedTexts.set(html, nodes);
  nodes.catch(() => cleanedTexts.delete(html));
  return nodes;
}

/** Sanitises in a task of its own, because it is slow on phones. */
async function clean(html: string): Promise<DocumentFragment> {
  const { cleanNodes } = await loadCleaner();
  await nextTask();
  return cleanNodes(html);
}

interface RichTextProps {
  html: string;
  /** The language of the text, which may differ from the language of the page. */
  locale: Locale;
}

/** A text of an operator. Suspends until it is sanitised, to avoid a layout shift. */
export function RichText(props: RichTextProps) {
  const isInPortal = useInRouterContext();
  const text = <CleanedText {...props} />;
  return isInPortal ? <WithLinks>{text}</WithLinks> : text;
}

/** Inserts the sanitised nodes directly: serialising and parsing again could change them. */
function CleanedText({ html, locale }: RichTextProps) {
  const nodes = use(cleaned(html));
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    place.current?.replaceChildren(nodes.cloneNode(true));
  }, [nodes]);
  return <div className="rich-text" lang={locale} ref={place} />;
}

/** Links to other pages of the portal navigate without a page load. */
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
    // biome-ignore lint/a11y/noStaticElementInteractions: the handler serves the links inside.
    // biome-ignore lint/a11y/useKeyWithClickEvents: Enter on a link is a click.
    <div onClick={follow}>{children}</div>
  );
}

function isForAnotherTab({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean {
  return button !== 0 || metaKey || ctrlKey || shiftKey || altKey;
}
