import { useState } from 'react';
import { newsArt } from '../../shared/ui/art.ts';
import './news-picture.css';

interface NewsPictureProps {
  art: string;
  /** The `sizes` attribute of the image. */
  sizes: string;
  /** Whether the picture is visible on load, and so not lazy. */
  isFirst?: boolean;
}

/** Keeps its size and background before the image loads, and also if loading fails. */
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
