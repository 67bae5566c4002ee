import { type PageRow, pages } from '@pointgate/contract/pages.ts';
import { type ComponentType, lazy } from 'react';
import { loadWords } from '../shared/i18n/words.ts';
import { type TitleKey, usePageTitle } from '../shared/ui/page-title.ts';
import { type PageCode, pageCode } from './page-code.ts';

interface OpenPage {
  row: PageRow;
  /** The page with its document title. Its code and texts are loaded when it is rendered. */
  Component: ComponentType;
}

/** The pages of a group of the table. */
export function openPages(group: keyof typeof pages): OpenPage[] {
  const codes: Record<string, PageCode> = pageCode[group];
  return Object.entries<PageRow>(pages[group]).map(([name, row]) => {
    const load = codes[name];
    if (load === undefined) throw new Error(`The page ${name} has no code.`);
    return { row, Component: componentOf(row, load) };
  });
}

function componentOf(row: PageRow, load: PageCode): ComponentType {
  const Page = lazy(async () => {
    const [component] = await Promise.all([load(), loadWords(row.words)]);
    return { default: component };
  });
  return () => (
    <>
      {'title' in row && <PageTitle title={row.title} />}
      <Page />
    </>
  );
}

function PageTitle({ title }: { title: TitleKey }) {
  usePageTitle(title);
  return null;
}
