import { useSuspenseQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import { ContentPage, ContentSkeleton } from '../content/content-page.tsx';
import { type PageText, pageQuery } from '../content/page-query.ts';
import { Footer } from '../shell/footer.tsx';
import { MessagePage } from '../shell/message-pages.tsx';
import { PageBoundary } from '../shell/page-boundary.tsx';
import { useTabTitle } from '../shell/page-title.ts';
import { ButtonLink } from '../ui/button.tsx';
import { loadCleaner } from '../ui/rich-text.tsx';

/** Not below /main, because content pages are readable without signing in. */
export function ContentRoute() {
  const { t } = useTranslation();
  const { id = '' } = useParams();
  void loadCleaner();
  return (
    <PageBoundary key={id} waiting={<ContentSkeleton />} failedTitle={t('page.failed')}>
      <Content pageId={id} />
      {/* Rendered with the text: below a shorter placeholder it would be visible and then jump. */}
      <Footer />
    </PageBoundary>
  );
}

function Content({ pageId }: { pageId: string }) {
  const { data: page } = useSuspenseQuery(pageQuery(pageId));
  return page === null ? <Missing /> : <Found page={page} />;
}

function Found({ page }: { page: PageText }) {
  useTabTitle(page.title);
  return <ContentPage page={page} />;
}

function Missing() {
  const { t } = useTranslation();
  useTabTitle(t('errors.PageMissing'));
  return (
    <MessagePage title={t('errors.PageMissing')} text={t('page.missingHint')}>
      <ButtonLink kind="primary" to="/main">
        {t('global.backHome')}
      </ButtonLink>
    </MessagePage>
  );
}
