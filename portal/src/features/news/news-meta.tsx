import type { BulletinSummary } from '@pointgate/contract/bulletins.ts';
import CalendarDays from 'lucide-react/icons/calendar-days';
import Lightbulb from 'lucide-react/icons/lightbulb';
import Pin from 'lucide-react/icons/pin';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../shared/i18n/format.ts';
import './news-meta.css';

const icons = { activity: CalendarDays, strategy: Lightbulb } as const satisfies Record<
  BulletinSummary['category'],
  unknown
>;

interface NewsMetaProps {
  bulletin: BulletinSummary;
  /** Shows the pin, which explains the place above newer announcements. */
  showsPin?: boolean | undefined;
}

/** The category and the date of an announcement. */
export function NewsMeta({ bulletin, showsPin = false }: NewsMetaProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { category, publishedAt, isPinned } = bulletin;
  const Icon = icons[category];
  return (
    <p className="news-meta">
      <span className={`news-category ${category}`}>
        <Icon size={14} aria-hidden="true" />
        {t(`news.category.${category}`)}
      </span>
      <time dateTime={publishedAt}>{format.date(publishedAt)}</time>
      {showsPin && isPinned && (
        <span className="news-pinned">
          <Pin size={13} aria-hidden="true" />
          <span>{t('news.pinned')}</span>
        </span>
      )}
    </p>
  );
}
