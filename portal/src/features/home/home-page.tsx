import ArrowRight from 'lucide-react/icons/arrow-right';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useAddresses } from '../../entities/addresses/addresses.ts';
import { ButtonLink } from '../../shared/ui/button.tsx';
import { Hero, HeroSkeleton } from '../../shared/ui/hero.tsx';
import { Section } from '../../shared/ui/section.tsx';
import { useIsDrawn } from '../../shared/ui/use-is-drawn.ts';
import { DownloadSection } from './download.tsx';
import { HowItWorks } from './how-it-works.tsx';
import { PublisherSection } from './publisher-section.tsx';
import './home.css';

interface HomePageProps {
  game: { name: string; subtitle: string };
  /** Shows and changes the receiving role. */
  characterBar: ReactNode;
  /** Packs that link to the top-up page. */
  packs: ReactNode;
  /** The box for redeeming codes. */
  redeem: ReactNode;
  news: ReactNode;
}

interface HomeSkeletonProps {
  packs: ReactNode;
  news: ReactNode;
}

/** Placeholders for the hero and the sections below, in their final heights. */
export function HomeSkeleton({ packs, news }: HomeSkeletonProps) {
  return (
    <div className="home">
      <HeroSkeleton height="tall">
        <div className="skeleton home-action-skeleton" />
      </HeroSkeleton>
      <div className="home-parts" aria-hidden="true">
        <SectionSkeleton>{packs}</SectionSkeleton>
        <div className="skeleton home-redeem-skeleton" />
        <SectionSkeleton>{news}</SectionSkeleton>
      </div>
    </div>
  );
}

function SectionSkeleton({ children }: { children: ReactNode }) {
  return (
    <div className="section">
      <div className="section-head">
        <div className="skeleton home-title-skeleton" />
      </div>
      {children}
    </div>
  );
}

export function HomePage({ game, characterBar, packs, redeem, news }: HomePageProps) {
  const { t } = useTranslation();
  const topUp = useAddresses().recharge({ target: 'game' });
  const isDrawn = useIsDrawn();
  return (
    <main className="home" id="main">
      <Hero title={game.name} subtitle={game.subtitle} height="tall">
        <p className="hero-lead">{t('recharge.lead')}</p>
        {characterBar}
        <div className="home-action">
          <ButtonLink kind="primary" name="top-up" to={topUp}>
            {t('home.topUp')}
            <ArrowRight size={20} aria-hidden="true" />
          </ButtonLink>
        </div>
      </Hero>
      <div className="home-parts">
        <Section title={t('home.topUpCenter')} more={{ to: topUp, text: t('home.allPacks') }}>
          {packs}
        </Section>
        {redeem}
        {isDrawn && (
          <>
            {news}
            <PublisherSection pageId="game-features" kicker={t('home.features')} />
            <PublisherSection pageId="game-info" kicker={t('home.info')} />
            <HowItWorks />
            <DownloadSection gameName={game.name} />
          </>
        )}
      </div>
    </main>
  );
}
