import ArrowRight from 'lucide-react/icons/arrow-right';
import { type ReactNode, useId } from 'react';
import { Link } from 'react-router';
import './section.css';

interface SectionProps {
  title: string;
  /** What kind of section it is, where the title is the publisher's own. */
  kicker?: string;
  /** The way to all of it. */
  more?: { to: string; text: string };
  id?: string;
  className?: string;
  children: ReactNode;
}

/** A part of a long page, with its heading. */
export function Section({ title, kicker, more, id, className, children }: SectionProps) {
  const headingId = useId();
  return (
    <section
      className={className === undefined ? 'section' : `section ${className}`}
      id={id}
      aria-labelledby={headingId}
    >
      <header className="section-head">
        <div>
          {kicker !== undefined && <p className="section-kicker">{kicker}</p>}
          <h2 id={headingId}>{title}</h2>
        </div>
        {more !== undefined && (
          <Link className="section-more" to={more.to}>
            {more.text}
            <ArrowRight size={16} aria-hidden="true" />
          </Link>
        )}
      </header>
      {children}
    </section>
  );
}
