import { useTranslation } from 'react-i18next';
import { useAddresses } from '../../entities/addresses/addresses.ts';
import { ButtonLink } from '../../shared/ui/button.tsx';
import { MessagePage } from '../../shared/ui/message-pages.tsx';

/** Shown for a game that the platform does not sell, whether or not it exists elsewhere. */
export function UnknownGame() {
  const { t } = useTranslation();
  const { home } = useAddresses();
  return (
    <MessagePage title="404" text={t('platform.unknownGame')}>
      <ButtonLink kind="primary" to={home}>
        {t('platform.allGames')}
      </ButtonLink>
    </MessagePage>
  );
}
