import { useLocation } from 'react-router';

/** Parameters of the whole visit instead of a single page: language and traffic source. */
const visitParameters = ['lng', 'from'];

/** Turns an address of the portal into a link that keeps the parameters of the visit. */
export function useToLink(): (address: string) => string {
  const { search } = useLocation();
  return (address) => {
    const [path = '', ownQuery = ''] = address.split('?', 2);
    const query = new URLSearchParams(ownQuery);
    const visit = new URLSearchParams(search);
    for (const name of visitParameters) {
      const value = visit.get(name);
      if (value !== null && !query.has(name)) query.set(name, value);
    }
    const text = query.toString();
    return text === '' ? path : `${path}?${text}`;
  };
}
