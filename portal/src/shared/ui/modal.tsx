import X from 'lucide-react/icons/x';
import { type ReactNode, useEffect, useId, useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { trackPop } from '../analytics/track.ts';
import './modal.css';

interface ModalProps {
  title: string;
  /** The name in analytics events, without player data. */
  name: string;
  size?: 'small' | 'medium';
  children: ReactNode;
  /** For content that cannot be shown again: Escape and outside clicks do not close the dialog. */
  isShownOnce?: boolean;
  /** Called by Escape, the close button or an outside click. */
  onClose: () => void;
}

/** A dialog on wide screens, a bottom sheet on phones. Open while it is rendered. */
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
    // Closing returns the focus to the opener; removing the element would not.
    return () => element?.close();
  }, []);

  useEffect(() => trackPop(name), [name]);

  return (
    <dialog
      ref={dialog}
      className={`modal ${size}`}
      aria-labelledby={titleId}
      onKeyDown={(event) => {
        // Browsers close a dialog on the second Escape, even if its cancel event is prevented.
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
