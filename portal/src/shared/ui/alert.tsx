import CircleAlert from 'lucide-react/icons/circle-alert';
import type { ReactNode } from 'react';
import './alert.css';

/** An error message, with details below, such as whether money was charged. */
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
