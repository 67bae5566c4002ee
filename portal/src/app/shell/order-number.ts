import { useParams, useSearchParams } from 'react-router';

/** The order number of the page, from the path, or from a parameter on a platform; else empty. */
export function useOrderNumber(): string {
  const { paymentId } = useParams();
  const [query] = useSearchParams();
  return paymentId ?? query.get('paymentId') ?? '';
}
