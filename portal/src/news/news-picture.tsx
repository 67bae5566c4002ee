import { useState } from 'react';
import { newsArt } from '../ui/art.ts';
import './news-picture.css';

interface NewsPictureProps {
  art: string;
  /** How wide it is shown, as `sizes` of an image says it. */
  sizes: string;
  /** It is in sight from the first moment. */
  isFirst?: boolean;
}

/** Has its size and ground before the picture is there, and keeps them if it never comes. */
export function NewsPicture({ art, sizes, isFirst = false }: NewsPictureProps) {
  const [isBroken, setIsBroken] = useState(false);
  const { isScene, src, srcSet } = newsArt(art);
  return (
    <div className={isScene ? 'news-picture scene' : 'news-picture thing'}>
      {!isBroken && (
        <img
          src={src}
          srcSet={srcSet}
          sizes={isScene ? sizes : '168px'}
          width={384}
          height={isScene ? 240 : 384}
          alt=""
          loading={isFirst ? 'eager' : 'lazy'}
          decoding="async"
          onError={() => setIsBroken(true)}
        />
      )}
    </div>
  );
}
