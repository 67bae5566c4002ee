import type { ReactNode } from 'react';
import { useSiteConfig } from '../config/site-config.tsx';
import { defaultHero, heroArt, narrowMedia } from './art.ts';
import './key-art.css';
import './hero.css';

interface HeroProps {
  title: string;
  subtitle: string;
  height: 'short' | 'tall';
  /** Stands at the upper edge of the art. */
  top?: ReactNode;
  children?: ReactNode;
}

/** The game's key art to the edges, with its title lockup and what is said in front of it. */
export function Hero({ title, subtitle, height, top, children }: HeroProps) {
  return (
    <section className={`hero ${height}`}>
      <KeyArt />
      <div className="hero-in">
        {top !== undefined && <div className="hero-top">{top}</div>}
        <h1>
          <span className="hero-title" data-long={title.length > 7 || undefined}>
            {title}
          </span>
          <span className="hero-subtitle">{subtitle}</span>
        </h1>
        {children}
      </div>
    </section>
  );
}

interface HeroSkeletonProps {
  height: 'short' | 'tall';
  /** False where it is not known yet whose art it will be. */
  hasArt?: boolean;
  children?: ReactNode;
}

/** The art is there from the first moment; only the words are waited for. */
export function HeroSkeleton({ height, hasArt = true, children }: HeroSkeletonProps) {
  return (
    <div className={`hero ${height}`} aria-hidden="true">
      {hasArt && <KeyArt />}
      <div className="hero-in">
        <div className="skeleton hero-title-skeleton" />
        <div className="skeleton hero-bar-skeleton" />
        {children}
      </div>
    </div>
  );
}

export function KeyArt() {
  const { hero } = useSiteConfig().theme;
  const { wide, tall, fallback } = heroArt(hero ?? defaultHero);
  return (
    <picture className="key-art">
      <source media={narrowMedia} {...tall} type="image/avif" />
      <source {...wide} type="image/avif" />
      {/* At once, because it takes the place of the same picture. */}
      <img src={fallback} alt="" width={1920} height={1012} fetchPriority="high" decoding="sync" />
    </picture>
  );
}
