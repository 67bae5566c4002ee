import type { BulletinSummary } from '@pointgate/contract/bulletins.ts';
import { Link } from 'react-router';
import { useAddresses } from '../../entities/addresses/addresses.ts';
import { NewsMeta } from './news-meta.tsx';
import { NewsPicture } from './news-picture.tsx';
import './news-card.css';

interface NewsCardProps {
  bulletin: BulletinSummary;
  /** The heading level, one below that of the surrounding section. */
  level: 2 | 3;
  /** The picture is behind the text, above it, or beside it. */
  shape: 'lead' | 'card' | 'row';
  isFirst?: boolean;
  showsPin?: boolean;
}

const sizes = {
  lead: '(max-width: 750px) 100vw, 860px',
  card: '(max-width: 750px) 124px, 424px',
  row: '160px',
};

/** One announcement in a list. The title is the link, and the whole card is clickable. */
export function NewsCard({ bulletin, level, shape, isFirst = false, showsPin }: NewsCardProps) {
  const { bulletinId, title, summary, art, locale } = bulletin;
  const addresses = useAddresses();
  const Heading = `h${level}` as const;
  return (
    <article className={`news-card ${shape}`}>
      <NewsPicture art={art} sizes={sizes[shape]} isFirst={isFirst} />
      <div className="news-words">
        <NewsMeta bulletin={bulletin} showsPin={showsPin} />
        <Heading lang={locale}>
          <Link to={addresses.bulletin(bulletinId)}>{title}</Link>
        </Heading>
        <p className="news-summary" lang={locale}>
          {summary}
        </p>
      </div>
    </article>
  );
}

export function NewsCardSkeleton({ shape }: { shape: NewsCardProps['shape'] }) {
  return <div className={`skeleton news-card-skeleton ${shape}`} aria-hidden="true" />;
}
