import type { MouseEventHandler, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import './button.css';

type Kind = 'primary' | 'secondary' | 'ghost';

interface ButtonProps {
  kind: Kind;
  children: ReactNode;
  type?: 'button' | 'submit';
  disabled?: boolean;
  /** A busy button keeps its width, shows a spinner and ignores clicks. */
  isBusy?: boolean;
  describedBy?: string | undefined;
  /** The name in analytics events, if clicks are tracked. */
  name?: string;
  onClick?: MouseEventHandler<HTMLButtonElement>;
}

export function Button({
  kind,
  children,
  type,
  disabled,
  isBusy,
  describedBy,
  name,
  onClick,
}: ButtonProps) {
  const { t } = useTranslation();
  return (
    <button
      type={type ?? 'button'}
      className={`button ${kind}`}
      // Not `disabled`, which would lose the focus.
      aria-disabled={isBusy || undefined}
      aria-busy={isBusy || undefined}
      disabled={disabled}
      aria-describedby={describedBy}
      data-track={name}
      onClick={isBusy ? (event) => event.preventDefault() : onClick}
    >
      <span className="button-label">{children}</span>
      {isBusy && (
        <span className="button-ring">
          <span className="visually-hidden">{t('global.busy')}</span>
        </span>
      )}
    </button>
  );
}

interface ButtonLinkProps {
  kind: Kind;
  to: string;
  children: ReactNode;
  describedBy?: string;
  name?: string;
}

export function ButtonLink({ kind, to, children, describedBy, name }: ButtonLinkProps) {
  return (
    <Link className={`button ${kind}`} to={to} aria-describedby={describedBy} data-track={name}>
      <span className="button-label">{children}</span>
    </Link>
  );
}
