import { useSuspenseQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { pageQuery } from '../content/page-query.ts';
import { Boundary } from '../ui/boundary.tsx';
import { KeyArt } from '../ui/hero.tsx';
import { RichText } from '../ui/rich-text.tsx';
import { Section } from '../ui/section.tsx';
import { SectionFailed } from '../ui/section-failed.tsx';
import './publisher-section.css';

interface PublisherSectionProps {
  pageId: 'game-features' | 'game-info';
  /** What kind of section it is; its heading is the publisher's own. */
  kicker: string;
}

/** A page of the publisher's as a part of this one. Where it was not written, there is no such part. */
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
