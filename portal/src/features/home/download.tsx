import type { PlayUrls } from '@pointgate/contract/site-config.ts';
import Download from 'lucide-react/icons/download';
import Monitor from 'lucide-react/icons/monitor';
import Smartphone from 'lucide-react/icons/smartphone';
import { lazy } from 'react';
import { useTranslation } from 'react-i18next';
import { currentEnvironment } from '../../shared/browser/environment.ts';
import { useSiteConfig } from '../../shared/config/site-config.tsx';
import { Boundary } from '../../shared/ui/boundary.tsx';
import { Logo } from '../../shared/ui/logo.tsx';
import { NewTabNote, OutsideLink } from '../../shared/ui/outside-link.tsx';
import { Section } from '../../shared/ui/section.tsx';
import './download.css';

type Device = keyof PlayUrls;

const devices = ['ios', 'android', 'desktop'] as const satisfies readonly Device[];

const DownloadCode = lazy(async () => ({
  default: (await import('./download-code.tsx')).DownloadCode,
}));

/** The download links of the game, this device first. Renders nothing without links. */
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
            {here === 'desktop' && device !== 'desktop' && (
              <PhoneCode url={url} alt={t('home.scan', { device: names[device] })} />
            )}
            <OutsideLink href={url}>
              {device === 'desktop' ? (
                <Monitor size={22} strokeWidth={1.75} aria-hidden="true" />
              ) : (
                <Smartphone size={22} strokeWidth={1.75} aria-hidden="true" />
              )}
              {names[device]}
              <Download size={18} aria-hidden="true" />
              <NewTabNote />
            </OutsideLink>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** A QR code for the phone of a player at a desktop. The link works without the code, too. */
function PhoneCode(code: { url: string; alt: string }) {
  return (
    <Boundary waiting={<div className="skeleton download-code" />} failed={() => null}>
      <DownloadCode {...code} />
    </Boundary>
  );
}
