import { loginPictures } from '#web/pictures/login.ts';
import { Carousel } from '#web/ui/carousel/carousel.tsx';

const slides = loginPictures.map((picture) => ({ picture, alt: picture.alt }));

/** The carousel beside the sign-in form. */
export function SignInGallery() {
  return (
    <>
      <Carousel
        label="Images made with Packshot"
        slides={slides}
        layout="fan"
        sizes="(min-width: 90rem) 27rem, 30vw"
      />
      <p className="mt-2 text-center text-sm text-ink-soft">Made with Packshot from our sample photos.</p>
    </>
  );
}
