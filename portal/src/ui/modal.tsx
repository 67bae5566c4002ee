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
  /** Asked for by Escape, the close button or a click beside the dialog. */
  onClose: () => void;
}

/** A dialog on wide screens, a sheet from below on phones. Open for as long as it is rendered. */
export function Modal({ title, name, size = 'medium', children, onClose }: ModalProps) {
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
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard's way out is Escape, natively.
    <dialog
      ref={dialog}
      className={`modal ${size}`}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === event.currentTarget) onClose();
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
