import MapPin from 'lucide-react/icons/map-pin';
import { useTranslation } from 'react-i18next';
import { useOpenGame } from '../addresses.ts';

/**
 * A region is where the player's server stands: that decides where goods go, so it can be changed from
 * any page. It is not another site: a publisher's sites in other countries have accounts and prices of
 * their own, and a player who was sent there would not find theirs. A platform has none before a game
 * is open.
 */
export function RegionButton({ onChoose }: { onChoose: () => void }) {
  const { t } = useTranslation();
  if (useOpenGame() === null) return null;
  return (
    <button
      type="button"
      className="menu-item"
      data-track="change-role"
      aria-haspopup="dialog"
      onClick={onChoose}
    >
      <MapPin size={18} aria-hidden="true" />
      {t('nav.selectRegion')}
    </button>
  );
}
