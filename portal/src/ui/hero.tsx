import type { ReactNode } from 'react';
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
  return (
    <picture className="key-art">
      <source
        media="(max-width: 750px)"
        srcSet="/art/hero-tall-540.avif 540w, /art/hero-tall-828.avif 828w, /art/hero-tall-1080.avif 1080w"
        sizes="106vw"
        type="image/avif"
      />
      <source
        srcSet="/art/hero-wide-960.avif 960w, /art/hero-wide-1440.avif 1440w, /art/hero-wide-1920.avif 1920w"
        sizes="100vw"
        type="image/avif"
      />
      <img src="/art/hero-wide-1920.webp" alt="" width={1920} height={1012} fetchPriority="high" />
    </picture>
  );
}
