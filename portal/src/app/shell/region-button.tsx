import MapPin from 'lucide-react/icons/map-pin';
import { useTranslation } from 'react-i18next';
import { useOpenGame } from '../../entities/addresses/addresses.ts';

/**
 * A region is the location of the game server, which decides where goods are delivered, so it can
 * be changed from any page. It is not another site: sites of the publisher in other countries have
 * their own accounts and prices. A platform has no region before a game is open.
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
