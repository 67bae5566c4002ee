import { useId, useState } from 'react';
import { useSiteConfig } from '../config/site-config.tsx';
import { logoArt } from './art.ts';

/** The logo of the site, or the default logo if it has none or the image is missing. */
export function Logo({ size }: { size: number }) {
  const { logo } = useSiteConfig().theme;
  const [isMissing, setIsMissing] = useState(false);
  if (logo === null || isMissing) return <OwnLogo size={size} />;
  return (
    <img
      className="site-logo"
      src={logoArt(logo)}
      width={size}
      height={size}
      alt=""
      onError={() => setIsMissing(true)}
    />
  );
}

function OwnLogo({ size }: { size: number }) {
  const id = useId();
  return (
    <svg viewBox="0 0 32 32" width={size} height={size} aria-hidden="true">
      <defs>
        <linearGradient id={id} x1="0" y1="0" x2="1" y2="1">
          <stop offset="0" stopColor="var(--accent-text)" />
          <stop offset=".55" stopColor="var(--accent)" />
          <stop offset="1" stopColor="#ff7a9e" />
        </linearGradient>
      </defs>
      <path
        d="M16 3a13 13 0 1 1-9.2 3.8"
        fill="none"
        stroke={`url(#${id})`}
        strokeWidth="2.6"
        strokeLinecap="round"
      />
      <path d="M16 8.2 20.4 16 16 23.8 11.6 16Z" fill={`url(#${id})`} />
      <circle cx="6.9" cy="6.9" r="1.9" fill="#8eeaff" />
    </svg>
  );
}
