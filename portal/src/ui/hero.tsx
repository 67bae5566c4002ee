import type { ReactNode } from 'react';
import { useSiteConfig } from '../config/site-config.tsx';
import { defaultHero, heroArt, narrowMedia } from './art.ts';
import './hero.css';

interface HeroProps {
  title: string;
  subtitle: string;
  height: 'short' | 'tall';
  children?: ReactNode;
}

/** The game's key art to the edges, with its title lockup and what is said in front of it. */
export function Hero({ title, subtitle, height, children }: HeroProps) {
  return (
    <section className={`hero ${height}`}>
      <KeyArt />
      <div className="hero-in">
        <h1>
          <span className="hero-title">{title}</span>
          <span className="hero-subtitle">{subtitle}</span>
        </h1>
        {children}
      </div>
    </section>
  );
}

/** The art is there from the first moment; only the words are waited for. */
export function HeroSkeleton({
  height,
  children,
}: {
  height: 'short' | 'tall';
  children?: ReactNode;
}) {
  return (
    <div className={`hero ${height}`} aria-hidden="true">
      <KeyArt />
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
      <img src={fallback} alt="" width={1920} height={1012} fetchPriority="high" />
    </picture>
  );
}
