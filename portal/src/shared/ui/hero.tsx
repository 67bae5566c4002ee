import type { ReactNode } from 'react';
import { useSiteConfig } from '../config/site-config.tsx';
import { defaultHero, heroArt, narrowMedia } from './art.ts';
import './key-art.css';
import './hero.css';

interface HeroProps {
  title: string;
  subtitle: string;
  height: 'short' | 'tall';
  /** Rendered at the upper edge of the art. */
  top?: ReactNode;
  children?: ReactNode;
}

/** The full-width key art of the game, with title and text in front of it. */
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
  /** False while it is unknown which game the art will belong to. */
  hasArt?: boolean;
  children?: ReactNode;
}

/** Shows the art at once, with placeholders for the texts. */
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
      {/* Decoded synchronously, because it replaces the same picture. */}
      <img src={fallback} alt="" width={1920} height={1012} fetchPriority="high" decoding="sync" />
    </picture>
  );
}
