import { useLocation } from 'react-router';

/** What belongs to the whole visit and not to one page: the language, and where the player came from. */
const visitParameters = ['lng', 'from'];

/** Makes an address of the portal a link from this page: what belongs to the visit goes along. */
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
