import type { Locale } from '@pointgate/contract/locales.ts';
import Globe from 'lucide-react/icons/globe';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { useSiteConfig } from '../../shared/config/site-config.tsx';
import { currentLocale } from '../../shared/i18n/i18n.ts';

// Each language by its own name, because the player may not read the current language.
const ownNames: Record<Locale, string> = {
  'en-US': 'English',
  'zh-CN': '简体中文',
  'zh-HK': '繁體中文（香港）',
  'zh-TW': '繁體中文（台灣）',
  'th-TH': 'ไทย',
  'ko-KR': '한국어',
  'ja-JP': '日本語',
  'vi-VN': 'Tiếng Việt',
  'de-DE': 'Deutsch',
};

export function LanguagePicker() {
  const { t, i18n } = useTranslation();
  const { locales } = useSiteConfig();
  const [query, setQuery] = useSearchParams();

  const choose = (language: string) => {
    void i18n.changeLanguage(language);
    // The address overrides the stored choice and would undo it on a reload.
    if (!query.has('lng')) return;
    query.set('lng', language);
    setQuery(query, { replace: true });
  };

  return (
    <div className="language">
      <Globe size={16} aria-hidden="true" />
      <select
        aria-label={t('nav.language')}
        value={currentLocale()}
        onChange={(event) => choose(event.target.value)}
      >
        {locales.map((locale) => (
          <option key={locale} value={locale} lang={locale}>
            {ownNames[locale]}
          </option>
        ))}
      </select>
    </div>
  );
}
