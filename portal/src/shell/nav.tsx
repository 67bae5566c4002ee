import { lazy, Suspense, useState } from 'react';
import { Link } from 'react-router';
import { useAddresses, useOpenGame } from '../addresses.ts';
import { useSiteConfig } from '../config/site-config.tsx';
import { useUser } from '../session/session.ts';
import { useToLink } from '../session/to-link.ts';
import { Logo } from '../ui/logo.tsx';
import { useIsMobile } from '../ui/use-media-query.ts';
import { AccountMenu } from './account-menu.tsx';
import { BalancePill } from './balance-pill.tsx';
import { LanguagePicker } from './language-picker.tsx';
import { MenuButton } from './menu-button.tsx';
import { NavLinks } from './nav-links.tsx';
import { StartGame } from './start-game.tsx';
import './nav.css';

const RegionDialog = lazy(async () => ({
  default: (await import('../routes/region-dialog.tsx')).RegionDialog,
}));

export function Nav() {
  const { siteTitle } = useSiteConfig();
  const { login } = useUser();
  const { home } = useAddresses();
  const gameId = useOpenGame();
  const toLink = useToLink();
  const isMobile = useIsMobile();
  // Above the menus that ask for it: they are closed by then.
  const [isRegionOpen, setIsRegionOpen] = useState(false);
  const openRegion = () => setIsRegionOpen(true);
  return (
    <header className="nav">
      <div className="nav-in">
        {login && isMobile && <MenuButton onRegion={openRegion} />}
        <Link className="nav-logo" to={toLink(home)}>
          <Logo size={isMobile ? 26 : 32} />
          <span>{siteTitle}</span>
        </Link>
        {login && !isMobile && <NavLinks />}
        <div className="nav-end">
          {login && !isMobile && <StartGame className="nav-start" />}
          {/* On a phone it stands in the menu, once there is one: the bar is full. */}
          {!(login && isMobile) && <LanguagePicker />}
          {login && <BalancePill />}
          {login && <AccountMenu onRegion={openRegion} />}
        </div>
      </div>
      {isRegionOpen && gameId !== null && (
        <Suspense>
          <RegionDialog gameId={gameId} onClose={() => setIsRegionOpen(false)} />
        </Suspense>
      )}
    </header>
  );
}
