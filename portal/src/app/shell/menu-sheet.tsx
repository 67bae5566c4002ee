import Gem from 'lucide-react/icons/gem';
import House from 'lucide-react/icons/house';
import Newspaper from 'lucide-react/icons/newspaper';
import ReceiptText from 'lucide-react/icons/receipt-text';
import UserRound from 'lucide-react/icons/user-round';
import { useTranslation } from 'react-i18next';
import { Link, NavLink } from 'react-router';
import { useAddresses } from '../../entities/addresses/addresses.ts';
import { type MainMenuText, useMainMenu } from '../../entities/addresses/menus.ts';
import { useToLink } from '../../entities/session/to-link.ts';
import { SupportButton } from '../../entities/support/support-button.tsx';
import { Modal } from '../../shared/ui/modal.tsx';
import { LanguagePicker } from './language-picker.tsx';
import { LogoutButton } from './logout-button.tsx';
import { useNewsLinks } from './news-links.ts';
import { RegionButton } from './region-button.tsx';
import { StartGame } from './start-game.tsx';
import './menus.css';

const icons: Record<MainMenuText, typeof House> = {
  'nav.home': House,
  'nav.recharge': Gem,
  'nav.news': Newspaper,
  'nav.orders': ReceiptText,
};

interface MenuSheetProps {
  onRegion: () => void;
  onClose: () => void;
}

/**
 * The menu of phones, with all navigation items. A sheet instead of a bottom tab bar, because the
 * pay bar is at the lower edge.
 */
export function MenuSheet({ onRegion, onClose: close }: MenuSheetProps) {
  const { t } = useTranslation();
  return (
    <Modal name="menu" title={t('nav.menu')} onClose={close}>
      <div className="menu-sheet">
        <Pages close={close} />
        <hr className="menu-line" />
        <StartGame className="menu-item" onStart={close} />
        <RegionButton
          onChoose={() => {
            close();
            onRegion();
          }}
        />
        <SupportButton className="menu-item" onAsk={close} />
        <LanguagePicker />
        <hr className="menu-line" />
        <LogoutButton />
      </div>
    </Modal>
  );
}

function Pages({ close }: { close: () => void }) {
  const { t } = useTranslation();
  const { account } = useAddresses();
  const links = useMainMenu();
  const toLink = useToLink();
  const pages = [
    ...links
      .filter(({ text }) => text !== 'nav.news')
      .map(({ text, to }) => ({ Icon: icons[text], to, label: t(text) })),
    { Icon: UserRound, to: account, label: t('nav.account') },
  ];
  return (
    <nav aria-label={t('nav.main')}>
      {pages.map(({ Icon, to, label }) => (
        <NavLink key={to} className="menu-item" to={toLink(to)} onClick={close}>
          <Icon size={18} aria-hidden="true" />
          {label}
        </NavLink>
      ))}
      <News close={close} />
    </nav>
  );
}

function News({ close }: { close: () => void }) {
  const { t } = useTranslation();
  const toLink = useToLink();
  const { links, tab } = useNewsLinks();
  return (
    <div>
      <p className="menu-item">
        <Newspaper size={18} aria-hidden="true" />
        {t('nav.news')}
      </p>
      <ul className="menu-tabs" aria-label={t('nav.news')}>
        {links.map((link) => (
          <li key={link.tab}>
            <Link
              className="menu-tab"
              to={toLink(link.to)}
              aria-current={link.tab === tab ? 'page' : undefined}
              onClick={close}
            >
              {t(link.label)}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
