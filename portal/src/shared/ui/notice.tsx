import Info from 'lucide-react/icons/info';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import type { ReactNode } from 'react';
import './notice.css';

interface NoticeProps {
  tone: 'warn' | 'info';
  title: string;
  children?: ReactNode;
}

/** A notice for the player; errors of an action use `Alert`. */
export function Notice({ tone, title, children }: NoticeProps) {
  const Icon = tone === 'warn' ? TriangleAlert : Info;
  return (
    <div className={`notice ${tone}`}>
      <Icon size={18} aria-hidden="true" />
      <div>
        <p className="notice-title">{title}</p>
        {children}
      </div>
    </div>
  );
}
