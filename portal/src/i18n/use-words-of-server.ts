import { type QueryFilters, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';

// The session has no words, and reading it again could undo a login that is under way.
const withWords: QueryFilters = { predicate: ({ queryKey }) => queryKey[0] !== 'session' };

/**
 * The shop answers in the language it is asked in: in another language everything is read again.
 * The old words stay until the new ones are there. Stands after `startI18n`, which tells the client
 * about the new language first.
 */
export function useWordsOfServer(): void {
  const { i18n } = useTranslation();
  const queryClient = useQueryClient();
  useEffect(() => {
    const readAgain = async () => {
      const firstReadings = queryClient
        .getQueryCache()
        .findAll({ ...withWords, fetchStatus: 'fetching' })
        .filter(({ state }) => state.data === undefined);
      void queryClient.invalidateQueries(withWords);
      // A first reading cannot be called back, and brings the old language: wait for it, read again.
      await Promise.all(
        firstReadings.map(({ queryKey }) => queryClient.prefetchQuery({ queryKey })),
      );
      await queryClient.refetchQueries({ predicate: (query) => firstReadings.includes(query) });
    };
    const onChange = () => void readAgain();
    i18n.on('languageChanged', onChange);
    return () => i18n.off('languageChanged', onChange);
  }, [i18n, queryClient]);
}
