import type { ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';
import { currentEnvironment } from '../session/environment.ts';

/** Other apps show the shop in the one window that they have, and ignore links to another. */
const opensBeside = () => currentEnvironment().host === 'browser';

/** A way out of the portal. It opens beside it; inside another app, in its place. */
export function OutsideLink(link: Omit<ComponentProps<'a'>, 'target' | 'rel'>) {
  return (
    <a {...link} {...(opensBeside() ? { target: '_blank', rel: 'noopener noreferrer' } : {})} />
  );
}

/** Says so to whoever does not see the new tab. */
export function NewTabNote() {
  const { t } = useTranslation();
  return opensBeside() ? <span className="visually-hidden">, {t('footer.newTab')}</span> : null;
}
