import { type QueryFilters, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';

// The session has no translated texts, and a refetch could undo a login in progress.
const withWords: QueryFilters = { predicate: ({ queryKey }) => queryKey[0] !== 'session' };

/**
 * Refetches all server data after a change of language, because responses contain translated texts.
 * Old texts stay until the new ones arrive. Called after `startI18n`, which first sets the language
 * of the API client.
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
      // An initial fetch in progress returns the old language: wait for it, then refetch.
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
