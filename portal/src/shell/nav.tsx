import { lazy, Suspense, useState } from 'react';
import { Link } from 'react-router';
import { useAddresses, useOpenGame } from '../addresses.ts';
import { Logo } from '../ui/logo.tsx';
import { AccountMenu } from './account-menu.tsx';
import { useAppState } from './app-state.ts';
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
  const { userInfo, config, isMobile, toLink } = useAppState();
  const { login } = userInfo;
  const { home } = useAddresses();
  const gameId = useOpenGame();
  // Above the menus that ask for it: they are closed by then.
  const [isRegionOpen, setIsRegionOpen] = useState(false);
  const openRegion = () => setIsRegionOpen(true);
  return (
    <header className="nav">
      <div className="nav-in">
        {login && isMobile && <MenuButton onRegion={openRegion} />}
        <Link className="nav-logo" to={toLink(home)}>
          <Logo size={isMobile ? 26 : 32} />
          <span>{config.siteTitle}</span>
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
