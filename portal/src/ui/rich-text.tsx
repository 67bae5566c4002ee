import type { Locale } from '@pointgate/contract/locales.ts';
import { type MouseEvent, type ReactNode, use, useLayoutEffect, useRef } from 'react';
import { useInRouterContext, useNavigate } from 'react-router';
import { nextTask } from './next-task.ts';
import './rich-text.css';

let cleaner: Promise<typeof import('./clean-nodes.ts')> | undefined;

/** What cleans such a text comes with the first of them; a page that will have one asks for it early. */
export function loadCleaner() {
  cleaner ??= import('./clean-nodes.ts').catch((error: unknown) => {
    // What did not come this time is asked for again the next.
    cleaner = undefined;
    throw error;
  });
  return cleaner;
}

// As many as somebody reads in one visit. Kept, because whoever waits for one asks for it again.
const cleanedTexts = new Map<string, Promise<DocumentFragment>>();

function cleaned(html: string): Promise<DocumentFragment> {
  const known = cleanedTexts.get(html);
  if (known !== undefined) return known;
  const nodes = clean(html);
  cleanedTexts.set(html, nodes);
  nodes.catch(() => cleanedTexts.delete(html));
  return nodes;
}

/** In a task of its own: it takes a phone long enough to feel. */
async function clean(html: string): Promise<DocumentFragment> {
  const { cleanNodes } = await loadCleaner();
  await nextTask();
  return cleanNodes(html);
}

interface RichTextProps {
  html: string;
  /** What it is written in, which may not be the language of the page. */
  locale: Locale;
}

/** A text that an operator wrote. Whoever shows it waits for it: else the page would jump when it comes. */
export function RichText(props: RichTextProps) {
  const isInPortal = useInRouterContext();
  const text = <CleanedText {...props} />;
  return isInPortal ? <WithLinks>{text}</WithLinks> : text;
}

/** Puts the cleaned nodes in place as they are: written out and read again they could change. */
function CleanedText({ html, locale }: RichTextProps) {
  const nodes = use(cleaned(html));
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    place.current?.replaceChildren(nodes.cloneNode(true));
  }, [nodes]);
  return <div className="rich-text" lang={locale} ref={place} />;
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
