import { useSuspenseQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import { useAddresses } from '../addresses.ts';
import { BulletinPage, BulletinSkeleton } from '../news/bulletin-page.tsx';
import { bulletinQuery } from '../news/news-queries.ts';
import { Footer } from '../shell/footer.tsx';
import { MessagePage } from '../shell/message-pages.tsx';
import { PageBoundary } from '../shell/page-boundary.tsx';
import { usePageTitle } from '../shell/page-title.ts';
import { ButtonLink } from '../ui/button.tsx';
import { loadCleaner } from '../ui/rich-text.tsx';

export function BulletinRoute() {
  const { t } = useTranslation();
  const { id = '' } = useParams();
  usePageTitle('titles.bulletin');
  void loadCleaner();
  return (
    // Keyed by id, so that the error of one announcement is not shown for another.
    <PageBoundary key={id} waiting={<BulletinSkeleton />} failedTitle={t('news.detailFailed')}>
      <Bulletin bulletinId={id} />
    </PageBoundary>
  );
}

function Bulletin({ bulletinId }: { bulletinId: string }) {
  const { t } = useTranslation();
  const { news } = useAddresses();
  const { data: bulletin } = useSuspenseQuery(bulletinQuery(bulletinId));
  if (bulletin === null) {
    return (
      <MessagePage title={t('errors.BulletinMissing')} text={t('news.missingHint')}>
        <ButtonLink kind="primary" to={news}>
          {t('news.all')}
        </ButtonLink>
      </MessagePage>
    );
  }
  return (
    <>
      <BulletinPage bulletin={bulletin} />
      <Footer />
    </>
  );
}
