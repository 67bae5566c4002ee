import { useSuspenseQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { pageQuery } from '../../entities/publisher-pages/page-query.ts';
import { Boundary } from '../../shared/ui/boundary.tsx';
import { KeyArt } from '../../shared/ui/hero.tsx';
import { RichText } from '../../shared/ui/rich-text.tsx';
import { Section } from '../../shared/ui/section.tsx';
import { SectionFailed } from '../../shared/ui/section-failed.tsx';
import './publisher-section.css';

interface PublisherSectionProps {
  pageId: 'game-features' | 'game-info';
  /** The kind of the section; the heading is written by the publisher. */
  kicker: string;
}

/** A content page of the publisher as a section. Renders nothing if the page does not exist. */
export function PublisherSection({ pageId, kicker }: PublisherSectionProps) {
  return (
    <Boundary
      waiting={<div className={`skeleton ${pageId} publisher-skeleton`} aria-hidden="true" />}
      failed={(error, retry) => <Failed kicker={kicker} error={error} onRetry={retry} />}
    >
      <Written pageId={pageId} kicker={kicker} />
    </Boundary>
  );
}

function Written({ pageId, kicker }: PublisherSectionProps) {
  const { data: page } = useSuspenseQuery(pageQuery(pageId));
  if (page === null) return null;
  return (
    <Section title={page.title} kicker={kicker} className={pageId}>
      {pageId === 'game-info' && <KeyArt />}
      <RichText html={page.body} locale={page.locale} />
    </Section>
  );
}

interface FailedProps {
  kicker: string;
  error: unknown;
  onRetry: () => void;
}

function Failed({ kicker, error, onRetry }: FailedProps) {
  const { t } = useTranslation();
  return (
    <Section title={kicker}>
      <SectionFailed title={t('global.error.fetch')} error={error} onRetry={onRetry} />
    </Section>
  );
}
