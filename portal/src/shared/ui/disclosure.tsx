import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import './disclosure.css';

interface DisclosureProps {
  label: string;
  className: string;
  /** The visible content of the button; its accessible name is `label`. */
  face: ReactNode;
  align: 'start' | 'end';
  children: (close: () => void) => ReactNode;
}

/** A button with a panel, closed by Escape, by leaving the panel or by a choice in it. */
export function Disclosure({ label, className, face, align, children }: DisclosureProps) {
  const [isOpen, setIsOpen] = useState(false);
  const panelId = useId();
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);

  // The focus would be lost when the chosen item is hidden with the panel.
  const close = () => {
    setIsOpen(false);
    button.current?.focus();
  };

  useEffect(() => {
    if (!isOpen) return;
    const closeOutside = (event: Event) => {
      const isInside = event.target instanceof Node && root.current?.contains(event.target);
      if (!isInside) setIsOpen(false);
    };
    const closeOnEscape = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      setIsOpen(false);
      button.current?.focus();
    };
    document.addEventListener('pointerdown', closeOutside);
    document.addEventListener('focusin', closeOutside);
    document.addEventListener('keydown', closeOnEscape);
    return () => {
      document.removeEventListener('pointerdown', closeOutside);
      document.removeEventListener('focusin', closeOutside);
      document.removeEventListener('keydown', closeOnEscape);
    };
  }, [isOpen]);

  return (
    <div className="disclosure" ref={root}>
      <button
        type="button"
        ref={button}
        className={className}
        aria-label={label}
        aria-expanded={isOpen}
        aria-controls={panelId}
        onClick={() => setIsOpen(!isOpen)}
      >
        {face}
      </button>
      <div id={panelId} className={`disclosure-panel ${align}`} hidden={!isOpen}>
        {children(close)}
      </div>
    </div>
  );
}
