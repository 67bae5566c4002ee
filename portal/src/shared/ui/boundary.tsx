import { QueryErrorResetBoundary } from '@tanstack/react-query';
import { Component, type ReactNode, Suspense } from 'react';

type Failed = (error: unknown, retry: () => void) => ReactNode;

interface ErrorBoundaryProps {
  children: ReactNode;
  failed: Failed;
  /** Resets the errors of the queries below. */
  onRetry: () => void;
}

/** React supports error boundaries only as classes. */
class ErrorBoundary extends Component<ErrorBoundaryProps, { error: unknown }> {
  override state: { error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  retry = () => {
    this.props.onRetry();
    this.setState({ error: null });
  };

  /** Retries when the connection returns, because it may have caused the error. */
  heal = () => {
    if (this.state.error !== null) this.retry();
  };

  override componentDidMount() {
    window.addEventListener('online', this.heal);
  }

  override componentWillUnmount() {
    window.removeEventListener('online', this.heal);
  }

  override render() {
    const { error } = this.state;
    return error === null ? this.props.children : this.props.failed(error, this.retry);
  }
}

interface BoundaryProps {
  waiting: ReactNode;
  failed: Failed;
  children: ReactNode;
}

/** Shows the loading and error states of its children. */
export function Boundary({ waiting, failed, children }: BoundaryProps) {
  return (
    <QueryErrorResetBoundary>
      {({ reset }) => (
        <ErrorBoundary failed={failed} onRetry={reset}>
          <Suspense fallback={waiting}>{children}</Suspense>
        </ErrorBoundary>
      )}
    </QueryErrorResetBoundary>
  );
}
