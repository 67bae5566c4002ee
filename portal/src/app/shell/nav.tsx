import { lazy, Suspense, useState } from 'react';
import { Link } from 'react-router';
import { useAddresses, useOpenGame } from '../../entities/addresses/addresses.ts';
import { Logo } from '../../shared/ui/logo.tsx';
import { AccountMenu } from './account-menu.tsx';
import { useAppState } from './app-state.ts';
import { BalancePill } from './balance-pill.tsx';
import { LanguagePicker } from './language-picker.tsx';
import { MenuButton } from './menu-button.tsx';
import { NavLinks } from './nav-links.tsx';
import { RehearsalRibbon } from './rehearsal-ribbon.tsx';
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
  // Kept outside of the menus that open the dialog, because they close first.
  const [isRegionOpen, setIsRegionOpen] = useState(false);
  const openRegion = () => setIsRegionOpen(true);
  return (
    <header className="nav">
      {config.isRehearsal && <RehearsalRibbon />}
      <div className="nav-in">
        {login && isMobile && <MenuButton onRegion={openRegion} />}
        <Link className="nav-logo" to={toLink(home)}>
          <Logo size={isMobile ? 26 : 32} />
          <span>{config.siteTitle}</span>
        </Link>
        {login && !isMobile && <NavLinks />}
        <div className="nav-end">
          {login && !isMobile && <StartGame className="nav-start" />}
          {/* Phones have it in the menu of signed-in players, because the bar is full. */}
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
