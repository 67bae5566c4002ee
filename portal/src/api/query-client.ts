import { QueryClient } from '@tanstack/react-query';
import { ApiError, unexplained } from './api-error.ts';

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        // A refusal stays one; a line that was cut may be back. Writes are never repeated unasked.
        retry: (failures, error) =>
          failures < 2 && error instanceof ApiError && error.code === unexplained,
        retryDelay: (failures) => 500 * 2 ** failures,
      },
      // Offline, a write fails at once and says so. Kept back, it would pay minutes later, unasked.
      mutations: { networkMode: 'always' },
    },
  });
}
