import ArrowRight from 'lucide-react/icons/arrow-right';
import { type ReactNode, useId } from 'react';
import { Link } from 'react-router';
import './section.css';

interface SectionProps {
  title: string;
  /** The kind of the section, if its title is written by the publisher. */
  kicker?: string;
  /** The link to the full content. */
  more?: { to: string; text: string };
  id?: string;
  className?: string;
  children: ReactNode;
}

/** A section of a long page, with its heading. */
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
