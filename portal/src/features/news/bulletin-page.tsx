import type { bulletinDetail } from '@pointgate/contract/bulletins.ts';
import type { ReplyOf } from '@pointgate/contract/endpoint.ts';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useAddresses } from '../../entities/addresses/addresses.ts';
import { BackLink } from '../../shared/ui/back-link.tsx';
import { Boundary } from '../../shared/ui/boundary.tsx';
import { KeyArt } from '../../shared/ui/hero.tsx';
import { RichText } from '../../shared/ui/rich-text.tsx';
import { SectionFailed } from '../../shared/ui/section-failed.tsx';
import { NewsCard, NewsCardSkeleton } from './news-card.tsx';
import { NewsMeta } from './news-meta.tsx';
import { NewsPicture } from './news-picture.tsx';
import { relatedQuery } from './news-queries.ts';
import './bulletin-page.css';

type Bulletin = ReplyOf<typeof bulletinDetail>;

/** One announcement and others of the same category. */
export function BulletinPage({ bulletin }: { bulletin: Bulletin }) {
  const { t } = useTranslation();
  const { news } = useAddresses();
  const { title, summary, art, locale, body } = bulletin;
  return (
    <main className="bulletin-page" id="main">
      <KeyArt />
      <div className="bulletin-body">
        <article className="bulletin">
          <BackLink to={news}>{t('news.all')}</BackLink>
          <header>
            <NewsMeta bulletin={bulletin} />
            <h1 lang={locale}>{title}</h1>
            {summary !== '' && (
              <p className="bulletin-summary" lang={locale}>
                {summary}
              </p>
            )}
          </header>
          <NewsPicture art={art} sizes="(max-width: 750px) 100vw, 800px" isFirst />
          {body.trim() === '' ? (
            <p className="bulletin-nothing">{t('news.noContent')}</p>
          ) : (
            <RichText html={body} locale={locale} />
          )}
        </article>
        <Related bulletin={bulletin} />
      </div>
    </main>
  );
}

function Related({ bulletin }: { bulletin: Bulletin }) {
  const { t } = useTranslation();
  return (
    <aside className="bulletin-related" aria-label={t('news.related')}>
      <Boundary
        waiting={<RelatedSkeleton />}
        failed={(error, retry) => (
          <SectionFailed title={t('news.listFailed')} error={error} onRetry={retry} />
        )}
      >
        <RelatedList bulletin={bulletin} />
      </Boundary>
    </aside>
  );
}

function RelatedList({ bulletin: { bulletinId, category } }: { bulletin: Bulletin }) {
  const { t } = useTranslation();
  const { data: others } = useSuspenseQuery(relatedQuery(bulletinId, category));
  if (others.length === 0) return null;
  return (
    <>
      <h2>{t('news.related')}</h2>
      <ul>
        {others.map((other) => (
          <li key={other.bulletinId}>
            <NewsCard bulletin={other} level={3} shape="row" />
          </li>
        ))}
      </ul>
    </>
  );
}

function RelatedSkeleton() {
  return (
    <div className="bulletin-related-skeleton" aria-hidden="true">
      <NewsCardSkeleton shape="row" />
      <NewsCardSkeleton shape="row" />
      <NewsCardSkeleton shape="row" />
    </div>
  );
}

export function BulletinSkeleton() {
  return (
    <div className="bulletin-page" aria-hidden="true">
      <KeyArt />
      <div className="bulletin-body">
        <div className="bulletin">
          <div className="bulletin-back-skeleton" />
          <div className="skeleton bulletin-title-skeleton" />
          <div className="skeleton news-picture" />
          <div className="skeleton rich-text-skeleton" />
        </div>
        <div className="bulletin-related">
          <RelatedSkeleton />
        </div>
      </div>
    </div>
  );
}
