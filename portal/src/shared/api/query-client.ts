import { QueryClient } from '@tanstack/react-query';
import { ApiError, unexplained } from './api-error.ts';

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        // Retries only lost connections: a refusal would be repeated. Writes are never retried
        // automatically.
        retry: (failures, error) =>
          failures < 2 && error instanceof ApiError && error.code === unexplained,
        retryDelay: (failures) => 500 * 2 ** failures,
      },
      // An offline write fails at once. Queued by the library, it could pay minutes later.
      mutations: { networkMode: 'always' },
    },
  });
}
