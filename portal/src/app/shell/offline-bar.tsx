import { onlineManager } from '@tanstack/react-query';
import CloudOff from 'lucide-react/icons/cloud-off';
import Wifi from 'lucide-react/icons/wifi';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import './offline-bar.css';

const shownMs = 3_000;

/**
 * Shows a lost connection, and briefly its return. Queries are paused and continue by themselves.
 */
export function OfflineBar() {
  const { t } = useTranslation();
  const isOnline = useSyncExternalStore(
    (listener) => onlineManager.subscribe(listener),
    () => onlineManager.isOnline(),
  );
  const isBack = useIsBack(isOnline);
  return (
    // Always rendered, so that screen readers announce its changes.
    <div className="offline-place" aria-live="polite">
      {!isOnline && (
        <p className="offline-bar">
          <CloudOff size={18} aria-hidden="true" />
          <span>
            <strong>{t('offline.title')}</strong> {t('offline.text')}
          </span>
        </p>
      )}
      {isBack && (
        <p className="offline-bar back">
          <Wifi size={18} aria-hidden="true" />
          {t('offline.back')}
        </p>
      )}
    </div>
  );
}

/** True for a short time after the connection has returned. */
function useIsBack(isOnline: boolean): boolean {
  const [wasOnline, setWasOnline] = useState(isOnline);
  const [isBack, setIsBack] = useState(false);
  if (wasOnline !== isOnline) {
    setWasOnline(isOnline);
    setIsBack(isOnline);
  }
  useEffect(() => {
    if (!isBack) return;
    const timer = setTimeout(() => setIsBack(false), shownMs);
    return () => clearTimeout(timer);
  }, [isBack]);
  return isBack;
}
