import type { ReactNode } from 'react';
import { PageNav } from '../../entities/addresses/page-nav.tsx';
import { KeyArt } from '../../shared/ui/hero.tsx';
import './login.css';

interface LoginCardProps {
  title: string;
  titleId?: string;
  lead?: string;
  children: ReactNode;
}

/** The shared layout of the sign-in pages: a card in front of the key art. */
export function LoginCard({ title, titleId, lead, children }: LoginCardProps) {
  return (
    <main className="login" id="main">
      <KeyArt />
      <section className="login-card">
        <h1 id={titleId}>{title}</h1>
        {lead !== undefined && <p className="login-lead">{lead}</p>}
        {children}
      </section>
      <PageNav />
    </main>
  );
}
