import { useSuspenseQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import { useAddresses } from '../../entities/addresses/addresses.ts';
import { BulletinPage, BulletinSkeleton } from '../../features/news/bulletin-page.tsx';
import { bulletinQuery } from '../../features/news/news-queries.ts';
import { ButtonLink } from '../../shared/ui/button.tsx';
import { MessagePage } from '../../shared/ui/message-pages.tsx';
import { loadCleaner } from '../../shared/ui/rich-text.tsx';
import { Footer } from '../shell/footer.tsx';
import { PageBoundary } from '../shell/page-boundary.tsx';

export function BulletinRoute() {
  const { t } = useTranslation();
  const { id = '' } = useParams();
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
