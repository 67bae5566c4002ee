import { useParams, useSearchParams } from 'react-router';

/** The order number of the page, from the path, or from a parameter on a platform; else empty. */
export function useOrderNumber(): string {
  const { id } = useParams();
  const [query] = useSearchParams();
  return id ?? query.get('paymentId') ?? '';
}
