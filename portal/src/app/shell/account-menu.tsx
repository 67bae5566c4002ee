import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useAccountMenu } from '../../entities/addresses/menus.ts';
import { useUser } from '../../entities/session/session.ts';
import { useToLink } from '../../entities/session/to-link.ts';
import { SupportButton } from '../../entities/support/support-button.tsx';
import { avatarArt } from '../../shared/ui/art.ts';
import { Disclosure } from '../../shared/ui/disclosure.tsx';
import { LogoutButton } from './logout-button.tsx';
import { RegionButton } from './region-button.tsx';
import { StartGame } from './start-game.tsx';
import './menus.css';

/** The account links, and navigation items without space in the bar. */
export function AccountMenu({ onRegion }: { onRegion: () => void }) {
  const { t } = useTranslation();
  const { displayName, userId } = useUser();
  const pages = useAccountMenu();
  const toLink = useToLink();
  return (
    <Disclosure
      label={t('nav.account')}
      className="nav-avatar"
      face={<img src={avatarArt} width={42} height={42} alt="" />}
      align="end"
    >
      {(close) => (
        <div className="account-menu">
          <p className="account-name">{displayName}</p>
          <p className="account-id">{t('nav.userId', { id: userId })}</p>
          {pages.map(({ Icon, to, text }) => (
            <Link key={to} className="menu-item" to={toLink(to)} onClick={close}>
              <Icon size={18} aria-hidden="true" />
              {t(text)}
            </Link>
          ))}
          <hr className="menu-line" />
          <StartGame className="menu-item" onStart={close} />
          <RegionButton
            onChoose={() => {
              close();
              onRegion();
            }}
          />
          <SupportButton className="menu-item" onAsk={close} />
          <hr className="menu-line" />
          <LogoutButton />
        </div>
      )}
    </Disclosure>
  );
}
