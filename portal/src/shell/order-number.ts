import { useParams, useSearchParams } from 'react-router';

/** The order that the page is about: a part of the path, or on a platform a parameter. Empty if neither. */
export function useOrderNumber(): string {
  const { id } = useParams();
  const [query] = useSearchParams();
  return id ?? query.get('paymentId') ?? '';
}
