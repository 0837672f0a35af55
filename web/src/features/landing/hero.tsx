import clsx from 'clsx';
import { ArrowRight } from 'lucide-react';
import { type Ref, useRef, useState } from 'react';
import { heroPairs, type PicturePair } from '#web/pictures/hero.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { CompareSlider } from '#web/ui/compare-slider.tsx';
import { FreeImages } from '#web/ui/free-images.tsx';
import { Picture } from '#web/ui/picture.tsx';
import { SiteLink } from '#web/ui/site/site-link.tsx';
import { PictureSwitch, useHasInteracted } from './picture-switch.tsx';
import { TryPhoto } from './try-photo.tsx';

/**
 * The top of the landing page: what Packshot does, a photo with the image that was made from it, and where visitors try one of
 * their own.
 */
export function Hero({ signedIn, headingRef }: { signedIn: boolean; headingRef: Ref<HTMLHeadingElement> }) {
  return (
    <section className="sweep overflow-hidden">
      <div className="mx-auto grid max-w-6xl items-center gap-10 px-4 py-10 sm:px-6 sm:py-16 lg:min-h-[min(46rem,calc(100dvh-4rem))] lg:grid-cols-[1.08fr_1fr] lg:gap-16">
        <div>
          <h1
            ref={headingRef}
            tabIndex={-1}
            className="text-[2.625rem] leading-[1.02] font-bold tracking-[-0.04em] min-[24rem]:text-5xl sm:text-6xl xl:text-[4.5rem]"
          >
            Your product, on any set you can describe
          </h1>
          <p className="mt-6 max-w-xl text-lg leading-relaxed text-ink-soft sm:text-xl sm:leading-relaxed">
            Upload photos of your product, describe the scene, and get a studio image for your listing. No
            studio, no lights, no waiting for a photographer.
          </p>
          <div className="mt-8 flex flex-wrap items-center gap-3">
            <SiteLink
              to={signedIn ? '/dashboard' : '/signup'}
              className={clsx(
                buttonClass('primary', 'min-h-13 px-7 text-base'),
                !signedIn && besideTryOutClass,
              )}
            >
              {signedIn ? 'Open your studio' : 'Get started'}
              <ArrowRight aria-hidden className="size-4.5" />
            </SiteLink>
            <a href="#demo" className={buttonClass('secondary', 'min-h-13 px-7 text-base')}>
              See an example
            </a>
          </div>
          {!signedIn && <FreeImages className="mt-4 text-ink-soft" />}
        </div>
        <div className="mx-auto w-full max-w-xl">
          {signedIn ? (
            <HeroPairs />
          ) : (
            <TryPhoto>
              <HeroPairs />
            </TryPhoto>
          )}
        </div>
      </div>
    </section>
  );
}

/** Where visitors can try a photo, that is the filled button. */
const besideTryOutClass =
  'in-data-sketches:border-line-strong in-data-sketches:bg-surface in-data-sketches:text-ink in-data-sketches:shadow-none in-data-sketches:not-disabled:hover:bg-sunken';

const [first, ...others] = heroPairs;

/** The before/after slider, and buttons that choose another product for it. */
function HeroPairs() {
  const [chosen, setChosen] = useState(first);
  const element = useRef<HTMLDivElement>(null);
  const isUsed = useHasInteracted(element);
  if (chosen === undefined) return null;
  return (
    <div ref={element}>
      <BeforeAfter
        pair={chosen}
        preload={isUsed ? others : []}
        sizes="(min-width: 72rem) 32rem, (min-width: 64rem) 45vw, (min-width: 40rem) 36rem, 92vw"
      />
      <div className="mt-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-3 sm:flex-nowrap">
        <p className="text-sm leading-snug text-ink-soft">
          <span className="sr-only">The scene description: </span>“{chosen.image.scene}”
        </p>
        <ul className="flex shrink-0 gap-2">
          {heroPairs.map((pair) => (
            <li key={pair.image.name}>
              <button
                type="button"
                aria-label={`Show this example: ${pair.image.alt}`}
                aria-pressed={pair === chosen}
                onClick={() => setChosen(pair)}
                className="block size-13 overflow-hidden rounded-field border-2 border-transparent bg-sunken opacity-80 transition-opacity hover:opacity-100 aria-pressed:border-accent aria-pressed:opacity-100"
              >
                <Picture picture={pair.image} alt="" sizes="3.25rem" className="size-full object-cover" />
              </button>
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}

interface BeforeAfterProps {
  pair: PicturePair;
  /** Pairs that the visitor may choose next. */
  preload: readonly PicturePair[];
  sizes: string;
}

/** A sample photo and the image that was made from it, to be compared. */
function BeforeAfter({ pair, preload, sizes }: BeforeAfterProps) {
  return (
    <CompareSlider
      className="aspect-square bg-sunken shadow-card"
      photo={
        <PictureSwitch atTop shown={pair.photo} preload={preload.map(({ photo }) => photo)} sizes={sizes} />
      }
      image={
        <PictureSwitch atTop shown={pair.image} preload={preload.map(({ image }) => image)} sizes={sizes} />
      }
    />
  );
}
