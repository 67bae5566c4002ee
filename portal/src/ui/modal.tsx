import X from 'lucide-react/icons/x';
import { type ReactNode, useEffect, useId, useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { trackPop } from '../analytics/track.ts';
import './modal.css';

interface ModalProps {
  title: string;
  /** What analytics call it: words of ours, and none of the player's. */
  name: string;
  size?: 'small' | 'medium';
  children: ReactNode;
  /** What it shows cannot be shown again: Escape and a click beside it do not close it. */
  isShownOnce?: boolean;
  /** Asked for by Escape, the close button or a click beside the dialog. */
  onClose: () => void;
}

/** A dialog on wide screens, a sheet from below on phones. Open for as long as it is rendered. */
export function Modal({
  title,
  name,
  size = 'medium',
  children,
  isShownOnce = false,
  onClose,
}: ModalProps) {
  const { t } = useTranslation();
  const titleId = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);

  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    heading.current?.focus();
    // Closing gives the focus back to the opener; just taking the element away would not.
    return () => element?.close();
  }, []);

  useEffect(() => trackPop(name), [name]);

  return (
    <dialog
      ref={dialog}
      className={`modal ${size}`}
      aria-labelledby={titleId}
      onKeyDown={(event) => {
        // Browsers close a dialog at the second Escape, whatever is said to the first.
        if (isShownOnce && event.key === 'Escape') event.preventDefault();
      }}
      onCancel={(event) => {
        event.preventDefault();
        if (!isShownOnce) onClose();
      }}
      onClick={(event) => {
        if (event.target === event.currentTarget && !isShownOnce) onClose();
      }}
    >
      <div className="modal-body">
        <div className="modal-head">
          <h2 id={titleId} ref={heading} tabIndex={-1}>
            {title}
          </h2>
          <button type="button" className="modal-close" onClick={onClose}>
            <X size={20} aria-hidden="true" />
            <span className="visually-hidden">{t('global.close')}</span>
          </button>
        </div>
        {children}
      </div>
    </dialog>
  );
}
