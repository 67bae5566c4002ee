import CircleCheck from 'lucide-react/icons/circle-check';
import { useEffect, useState } from 'react';
import './toast.css';

const shownMs = 5_000;
const target = new EventTarget();

/** Says something good in passing. What went wrong stays in an `Alert` where it happened. */
export function showToast(text: string): void {
  target.dispatchEvent(new CustomEvent('toast', { detail: text }));
}

export function Toasts() {
  const [toast, setToast] = useState<{ id: number; text: string } | null>(null);
  const [isHeld, setIsHeld] = useState(false);

  useEffect(() => {
    const show = (event: Event) => {
      if (!(event instanceof CustomEvent)) return;
      setToast((last) => ({ id: (last?.id ?? 0) + 1, text: String(event.detail) }));
    };
    target.addEventListener('toast', show);
    return () => target.removeEventListener('toast', show);
  }, []);

  useEffect(() => {
    if (toast === null || isHeld) return;
    const timer = setTimeout(() => setToast(null), shownMs);
    return () => clearTimeout(timer);
  }, [toast, isHeld]);

  return (
    <div className="toasts" aria-live="polite">
      {toast !== null && (
        <div
          className="toast"
          key={toast.id}
          onPointerEnter={() => setIsHeld(true)}
          onPointerLeave={() => setIsHeld(false)}
        >
          <CircleCheck size={18} aria-hidden="true" />
          {toast.text}
        </div>
      )}
    </div>
  );
}
