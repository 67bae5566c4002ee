import type { PlayUrls } from '@pointgate/contract/site-config.ts';
import Download from 'lucide-react/icons/download';
import Monitor from 'lucide-react/icons/monitor';
import Smartphone from 'lucide-react/icons/smartphone';
import { useTranslation } from 'react-i18next';
import { useSiteConfig } from '../config/site-config.tsx';
import { currentEnvironment } from '../session/environment.ts';
import { Logo } from '../ui/logo.tsx';
import { Section } from '../ui/section.tsx';
import './download.css';

type Device = keyof PlayUrls;

const devices = ['ios', 'android', 'desktop'] as const satisfies readonly Device[];

/** Where the game is had, this device first. Nothing where no such place is known. */
export function DownloadSection({ gameName }: { gameName: string }) {
  const { t } = useTranslation();
  const { playUrls } = useSiteConfig().gameInfo;
  const here = currentEnvironment().system;
  const names: Record<Device, string> = {
    ios: 'iOS',
    android: 'Android',
    desktop: t('home.computer'),
  };
  const places = [here, ...devices.filter((device) => device !== here)].flatMap((device) => {
    const url = playUrls[device];
    return url === null ? [] : [{ device, url }];
  });
  if (places.length === 0) return null;
  return (
    <Section
      title={t('home.downloadTitle', { game: gameName })}
      kicker={t('home.download')}
      id="download"
      className="download"
    >
      <Logo size={112} />
      <p className="download-text">{t('home.downloadText')}</p>
      <ul>
        {places.map(({ device, url }) => (
          <li key={device}>
            <a href={url} target="_blank" rel="noreferrer">
              {device === 'desktop' ? (
                <Monitor size={22} strokeWidth={1.75} aria-hidden="true" />
              ) : (
                <Smartphone size={22} strokeWidth={1.75} aria-hidden="true" />
              )}
              {names[device]}
              <Download size={18} aria-hidden="true" />
              <span className="visually-hidden">, {t('footer.newTab')}</span>
            </a>
          </li>
        ))}
      </ul>
    </Section>
  );
}
