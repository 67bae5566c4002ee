import Gamepad2 from 'lucide-react/icons/gamepad-2';
import { useTranslation } from 'react-i18next';
import { currentEnvironment } from '../../shared/browser/environment.ts';
import { useSiteConfig } from '../../shared/config/site-config.tsx';
import { OutsideLink } from '../../shared/ui/outside-link.tsx';

interface StartGameProps {
  className: string;
  onStart?: () => void;
}

/** A link that starts or downloads the game on this device. Renders nothing without a play URL. */
export function StartGame({ className, onStart }: StartGameProps) {
  const { t } = useTranslation();
  const { playUrls } = useSiteConfig().gameInfo;
  const url = playUrls[currentEnvironment().system];
  if (url === null) return null;
  return (
    <OutsideLink className={className} data-track="start-game" href={url} onClick={onStart}>
      <Gamepad2 size={18} aria-hidden="true" />
      {t('nav.startGame')}
    </OutsideLink>
  );
}
