import type { ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';
import { currentEnvironment } from '../browser/environment.ts';

/** In-app browsers have a single window and ignore links with another target. */
const opensBeside = () => currentEnvironment().host === 'browser';

/** An external link. It opens in a new tab, or in place of the portal inside another app. */
export function OutsideLink(link: Omit<ComponentProps<'a'>, 'target' | 'rel'>) {
  return (
    <a {...link} {...(opensBeside() ? { target: '_blank', rel: 'noopener noreferrer' } : {})} />
  );
}

/** Announces the new tab to screen readers. */
export function NewTabNote() {
  const { t } = useTranslation();
  return opensBeside() ? <span className="visually-hidden">, {t('footer.newTab')}</span> : null;
}
