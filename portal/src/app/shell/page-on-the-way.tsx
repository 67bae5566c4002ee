import { useLocation } from 'react-router';
import { pictureAt } from '../../shared/ui/first-picture.ts';
import { KeyArt } from '../../shared/ui/hero.tsx';
import { Spinner } from '../../shared/ui/spinner.tsx';

/** A page whose code is still loading, with the key art that it will show. */
export function PageOnTheWay() {
  const { pathname } = useLocation();
  const place = pictureAt(pathname);
  return (
    <div className="on-the-way">
      {place !== undefined && (
        <div className={place} aria-hidden="true">
          <KeyArt />
        </div>
      )}
      <Spinner />
    </div>
  );
}
