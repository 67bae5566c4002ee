import type { ReactNode } from 'react';
import { ApiError } from '../api/api-error.ts';
import { Boundary } from '../ui/boundary.tsx';
import { CallFailedPage, LoadErrorPage } from './message-pages.tsx';

interface PageBoundaryProps {
  children: ReactNode;
  waiting: ReactNode;
  /** What could not be had, in words. */
  failedTitle?: string;
}

export function PageBoundary({ children, waiting, failedTitle }: PageBoundaryProps) {
  return (
    <Boundary
      waiting={waiting}
      failed={(error, retry) =>
        error instanceof ApiError ? (
          <CallFailedPage title={failedTitle} error={error} onRetry={retry} />
        ) : (
          <LoadErrorPage />
        )
      }
    >
      {children}
    </Boundary>
  );
}
