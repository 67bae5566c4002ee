import { homePath } from '@pointgate/contract/pages.ts';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import { type PageText, pageQuery } from '../../entities/publisher-pages/page-query.ts';
import { ContentPage, ContentSkeleton } from '../../features/content/content-page.tsx';
import { ButtonLink } from '../../shared/ui/button.tsx';
import { MessagePage } from '../../shared/ui/message-pages.tsx';
import { useTabTitle } from '../../shared/ui/page-title.ts';
import { loadCleaner } from '../../shared/ui/rich-text.tsx';
import { Footer } from '../shell/footer.tsx';
import { PageBoundary } from '../shell/page-boundary.tsx';

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
      <ButtonLink kind="primary" to={homePath}>
        {t('global.backHome')}
      </ButtonLink>
    </MessagePage>
  );
}
