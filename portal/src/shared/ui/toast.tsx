import type { TFunction } from 'i18next';
import CircleAlert from 'lucide-react/icons/circle-alert';
import CircleCheck from 'lucide-react/icons/circle-check';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import X from 'lucide-react/icons/x';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Format, useFormat } from '../i18n/format.ts';
import './toast.css';

const shownMs = 5_000;
const target = new EventTarget();

const icons = { ok: CircleCheck, warn: TriangleAlert, bad: CircleAlert };
type Tone = keyof typeof icons;

/**
 * Shows a short success message. Errors use an `Alert` in their place; only an error from before
 * the page was loaded is shown as a toast, which stays until it is closed.
 */
export function showToast(say: Say, tone: Tone = 'ok'): void {
  target.dispatchEvent(new CustomEvent<Detail>('toast', { detail: { say, tone } }));
}

/** Renders the text in the current language, which may change while the toast is visible. */
type Say = (t: TFunction, format: Format) => string;

interface Detail {
  say: Say;
  tone: Tone;
}

export function Toasts() {
  const { t } = useTranslation();
  const format = useFormat();
  const [toast, setToast] = useState<(Detail & { id: number }) | null>(null);
  const [isHeld, setIsHeld] = useState(false);

  useEffect(() => {
    const show = (event: Event) => {
      if (!(event instanceof CustomEvent)) return;
      const detail: Detail = event.detail;
      setToast((last) => ({ ...detail, id: (last?.id ?? 0) + 1 }));
    };
    target.addEventListener('toast', show);
    return () => target.removeEventListener('toast', show);
  }, []);

  useEffect(() => {
    if (toast === null || toast.tone !== 'ok' || isHeld) return;
    const timer = setTimeout(() => setToast(null), shownMs);
    return () => clearTimeout(timer);
  }, [toast, isHeld]);

  const Icon = icons[toast?.tone ?? 'ok'];
  return (
    <div className="toasts" aria-live="polite">
      {toast !== null && (
        <div
          className={`toast ${toast.tone}`}
          key={toast.id}
          onPointerEnter={() => setIsHeld(true)}
          onPointerLeave={() => setIsHeld(false)}
        >
          <Icon size={18} aria-hidden="true" />
          {toast.say(t, format)}
          {toast.tone !== 'ok' && (
            <button
              type="button"
              className="toast-close"
              aria-label={t('global.close')}
              onClick={() => setToast(null)}
            >
              <X size={18} aria-hidden="true" />
            </button>
          )}
        </div>
      )}
    </div>
  );
}
