import clsx from 'clsx';
import { Picture } from '#web/ui/picture.tsx';
import type { CarouselSlide } from './carousel.tsx';

interface ThumbnailStripProps {
  slides: readonly Pick<CarouselSlide, 'picture'>[];
  /** The slide in the centre. */
  index: number;
  locked: boolean;
  onMove: (by: number) => void;
  className: string;
}

/** Three thumbnails: the slide in the centre, and the ones beside it. A tap on one of those centres it. */
export function ThumbnailStrip({ slides, index, locked, onMove, className }: ThumbnailStripProps) {
  return (
    <ul className={clsx('mx-auto mt-1 grid max-w-sm grid-cols-3 gap-3', className)}>
      {[-1, 0, 1].map((by) => {
        const slide = (index + by + slides.length) % slides.length;
        const picture = slides[slide]?.picture;
        return (
          picture && (
            <li key={picture.src}>
              <button
                type="button"
                aria-label={`Show image ${slide + 1} of ${slides.length}`}
                aria-current={by === 0}
                aria-disabled={locked}
                onClick={() => onMove(by)}
                className="block w-full overflow-hidden rounded-field border-2 border-transparent bg-sunken opacity-75 aria-[current=true]:border-accent aria-[current=true]:opacity-100"
              >
                <Picture
                  picture={picture}
                  alt=""
                  sizes="7.5rem"
                  className="aspect-square w-full object-cover"
                />
              </button>
            </li>
          )
        );
      })}
    </ul>
  );
}
