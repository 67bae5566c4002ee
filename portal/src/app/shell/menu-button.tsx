import Menu from 'lucide-react/icons/menu';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyComponent } from '../../shared/ui/lazy-component.tsx';

const MenuSheet = lazyComponent(async () => (await import('./menu-sheet.tsx')).MenuSheet);

/** Opens the menu on phones. */
export function MenuButton({ onRegion }: { onRegion: () => void }) {
  const { t } = useTranslation();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        className="icon-button"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(true)}
      >
        <Menu size={20} aria-hidden="true" />
        <span className="visually-hidden">{t('nav.menu')}</span>
      </button>
      {isOpen && <MenuSheet onRegion={onRegion} onClose={() => setIsOpen(false)} />}
    </>
  );
}
