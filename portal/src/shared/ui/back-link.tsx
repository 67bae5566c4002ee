import ChevronLeft from 'lucide-react/icons/chevron-left';
import { Link } from 'react-router';
import './back-link.css';

export function BackLink({ to, children }: { to: string; children: string }) {
  return (
    <Link className="back-link" to={to}>
      <ChevronLeft size={18} aria-hidden="true" />
      {children}
    </Link>
  );
}
