import clsx from 'clsx';
import { ChevronLeft, ChevronRight, Pause, Play } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useRef } from 'react';
import { buttonClass } from '../button.tsx';
import { Picture, type PictureSource } from '../picture.tsx';
import { offsetFromCentre } from './rotation.ts';
import { useRotation } from './use-rotation.ts';
import { useSwipe } from './use-swipe.ts';

/** One image of a carousel. */
export interface CarouselSlide {
  picture: PictureSource;
  /** What the image shows. */
  alt: string;
  /** The text below it while it is in the centre. */
  caption?: ReactNode;
}

interface CarouselProps {
  /** Its name for screen readers. */
  label: string;
  /** At least five; their number must not change. */
  slides: readonly CarouselSlide[];
  /** `row`: side by side, over the whole width. `fan`: partly behind each other, for a narrow place. */
  layout: 'row' | 'fan';
  /** The widths of the slide in the centre, as in the `sizes` of `<img>`. */
  sizes: string;
  className?: string;
}

/** Slides on each side of the centre that are visible. */
const sideSlides = 2;

/**
 * Images of which five are visible, the one in the centre largest. It moves every `advanceMs` by itself; a click on a side
 * slide, a swipe, the arrow keys and its buttons move it too, but not within `lockMs` after a move. Small screens show one
 * slide, and three thumbnails below it.
 */
export function Carousel({ label, slides, layout, sizes, className }: CarouselProps) {
  const element = useRef<HTMLElement>(null);
  const { rotation, state, wasShown, holdHandlers } = useRotation(slides.length, element);
  const { index, locked, paused, movedByVisitor } = state;
  const swipeHandlers = useSwipe({ disabled: locked, onSwipe: rotation.move });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    rotation.move(by);
  };
  const position = `${index + 1} of ${slides.length}`;

  return (
    <section
      ref={element}
      aria-roledescription="carousel"
      aria-label={label}
      className={className}
      onKeyDown={onKeyDown}
      {...holdHandlers}
    >
      <div className={clsx('carousel-stage py-4', layout === 'fan' && 'carousel-fan')} {...swipeHandlers}>
        <div className="carousel-slides">
          {slides.map(({ picture, alt }, slide) => {
            const offset = offsetFromCentre(slide, index, slides.length);
            const isVisible = Math.abs(offset) <= sideSlides;
            return (
              // biome-ignore lint/a11y/useSemanticElements: a fieldset would be announced as part of a form
              <div
                key={picture.src}
                role="group"
                aria-roledescription="slide"
                aria-label={`${slide + 1} of ${slides.length}`}
                data-place={Math.max(-sideSlides - 1, Math.min(sideSlides + 1, offset))}
                inert={!isVisible}
                className="carousel-slide overflow-hidden rounded-card bg-sunken shadow-card"
              >
                {/* The others load once the visitor gets here, so that they are there when they come into view. */}
                {(isVisible || wasShown) && (
                  <Picture
                    picture={picture}
                    alt={alt}
                    sizes={sizes}
                    loading={wasShown ? 'eager' : 'lazy'}
                    className="size-full object-cover"
                  />
                )}
                {offset !== 0 && isVisible && (
                  <button
                    type="button"
                    // The keyboard has the buttons below.
                    tabIndex={-1}
                    aria-label={`Show image ${slide + 1} of ${slides.length}`}
                    aria-disabled={locked}
                    onClick={() => rotation.move(offset)}
                    className="absolute inset-0 rounded-card aria-disabled:cursor-default"
                  />
                )}
              </div>
            );
          })}
        </div>
      </div>
      <ThumbnailStrip
        slides={slides}
        index={index}
        locked={locked}
        onMove={rotation.move}
        className={layout === 'row' ? 'sm:hidden' : 'hidden'}
      />
      <Captions slides={slides} index={index} />
      <CarouselControls
        position={`${index + 1} / ${slides.length}`}
        locked={locked}
        paused={paused}
        onMove={rotation.move}
        onTogglePaused={rotation.togglePaused}
      />
      {/* Only what the visitor asked for is announced. */}
      <p aria-live="polite" className="sr-only">
        {movedByVisitor && `${position}: ${slides[index]?.alt}`}
      </p>
    </section>
  );
}

/** The caption of the slide in the centre. All are rendered, so that the highest one decides the height. */
function Captions({ slides, index }: { slides: readonly CarouselSlide[]; index: number }) {
  if (slides.every(({ caption }) => caption === undefined)) return null;
  return (
    <div className="mx-auto mt-4 grid max-w-xl px-4 text-center">
      {slides.map(({ picture, caption }, slide) => (
        <div
          key={picture.src}
          aria-hidden={slide !== index}
          className={clsx(
            'col-start-1 row-start-1 transition-[opacity,visibility] duration-700',
            slide !== index && 'invisible opacity-0',
          )}
        >
          {caption}
        </div>
      ))}
    </div>
  );
}

interface ThumbnailStripProps {
  slides: readonly Pick<CarouselSlide, 'picture'>[];
  /** The slide in the centre. */
  index: number;
  locked: boolean;
  onMove: (by: number) => void;
  className: string;
}

/** Three thumbnails: the slide in the centre, and the ones beside it. A tap on one of those centres it. */
function ThumbnailStrip({ slides, index, locked, onMove, className }: ThumbnailStripProps) {
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
                className="block w-full overflow-hidden rounded-field border-2 border-transparent forced-colors:border-[color:Canvas] bg-sunken opacity-75 aria-[current=true]:border-accent aria-[current=true]:opacity-100"
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

interface CarouselControlsProps {
  /** The slide in the centre, such as `3 / 8`. */
  position: string;
  locked: boolean;
  paused: boolean;
  onMove: (by: 1 | -1) => void;
  onTogglePaused: () => void;
}

const className = buttonClass('quiet', 'size-11 px-0! aria-disabled:opacity-50');

/** The buttons of a carousel. With reduced motion it never moves by itself, so there is nothing to pause. */
function CarouselControls({ position, locked, paused, onMove, onTogglePaused }: CarouselControlsProps) {
  return (
    <div className="mt-2 flex items-center justify-center gap-1">
      <button
        type="button"
        aria-label={paused ? 'Play' : 'Pause'}
        onClick={onTogglePaused}
        className={`${className} motion-reduce:hidden`}
      >
        {paused ? <Play aria-hidden className="size-5" /> : <Pause aria-hidden className="size-5" />}
      </button>
      <button
        type="button"
        aria-label="Previous image"
        aria-disabled={locked}
        onClick={() => onMove(-1)}
        className={className}
      >
        <ChevronLeft aria-hidden className="size-5" />
      </button>
      <span aria-hidden className="min-w-14 text-center text-sm text-ink-soft tabular-nums">
        {position}
      </span>
      <button
        type="button"
        aria-label="Next image"
        aria-disabled={locked}
        onClick={() => onMove(1)}
        className={className}
      >
        <ChevronRight aria-hidden className="size-5" />
      </button>
    </div>
  );
}
