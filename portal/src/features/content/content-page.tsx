import { useTranslation } from 'react-i18next';
import type { PageText } from '../../entities/publisher-pages/page-query.ts';
import { useFormat } from '../../shared/i18n/format.ts';
import { KeyArt } from '../../shared/ui/hero.tsx';
import { RichText } from '../../shared/ui/rich-text.tsx';
import './content-page.css';

// Players agree to these pages, so they show the date since which they are in effect.
const legalPages = ['privacy-policy', 'user-agreement'];

/** A content page of the publisher, such as the privacy policy. */
export function ContentPage({ page }: { page: PageText }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { pageId, title, body, locale, shownFrom } = page;
  return (
    <main className="content-page" id="main">
      <KeyArt />
      <article className="content">
        <header>
          <h1 lang={locale}>{title}</h1>
          {legalPages.includes(pageId) && (
            <p className="content-since">{t('page.since', { date: format.date(shownFrom) })}</p>
          )}
        </header>
        <RichText html={body} locale={locale} />
      </article>
    </main>
  );
}

export function ContentSkeleton() {
  return (
    <div className="content-page" aria-hidden="true">
      <KeyArt />
      <div className="content">
        <div className="skeleton content-title-skeleton" />
        <div className="skeleton rich-text-skeleton" />
      </div>
    </div>
  );
}
