import { landingPictures } from '#web/pictures/landing.ts';
import { Carousel, type CarouselSlide } from '#web/ui/carousel/carousel.tsx';
import { SectionHeading } from './section.tsx';

const slides: CarouselSlide[] = landingPictures.map((picture) => ({
  picture,
  alt: picture.alt,
  caption: <p className="text-ink-soft">“{picture.scene}”</p>,
}));

/** The carousel of images that were made with Packshot, each with its scene description. */
export function Gallery() {
  return (
    <section
      id="gallery"
      aria-labelledby="gallery-heading"
      className="border-y border-line bg-surface py-16 sm:py-20"
    >
      <div className="mx-auto max-w-6xl px-4 sm:px-6">
        <SectionHeading
          id="gallery"
          title="One photo, any setting"
          lead="Made with Packshot from our sample photos. The words below each image are all it took."
          centred
        />
      </div>
      <Carousel
        label="Images made with Packshot"
        slides={slides}
        layout="row"
        sizes="(min-width: 100rem) 27rem, (min-width: 40rem) 28vw, 92vw"
        className="mt-8 px-4 sm:mt-10 sm:px-0"
      />
    </section>
  );
}
