import CircleAlert from 'lucide-react/icons/circle-alert';
import type { ReactNode } from 'react';
import './alert.css';

/** Something went wrong: what, and below it what that means for the player's money. */
export function Alert({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="alert" role="alert">
      <CircleAlert size={18} aria-hidden="true" />
      <div>
        <p className="alert-title">{title}</p>
        {children}
      </div>
    </div>
  );
}
