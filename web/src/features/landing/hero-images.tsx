import photo from './images/coffee-cup-photo.webp';
import studio from './images/coffee-cup-studio.webp';

/** An example: a photo, and the image that Packshot made from it. */
export function HeroImages() {
  return (
    <div className="relative mx-auto w-full max-w-lg pb-10 pl-8 sm:pl-14">
      <figure>
        <img
          src={studio}
          width={880}
          height={880}
          alt="The same cup, centred on a table of light wood in soft light from the left"
          className="h-auto w-full rounded-card shadow-card"
        />
        <figcaption className="mt-2.5 pl-[34%] text-right text-sm leading-snug text-ink-soft">
          “Product on Wooden Table: morning light from the left”
        </figcaption>
      </figure>
      <figure className="absolute bottom-0 left-0 w-2/5 -rotate-4 rounded-field border border-line bg-surface p-2 pb-2.5 shadow-card">
        <img
          src={photo}
          width={420}
          height={280}
          alt="A snapshot of a red espresso cup on a dark table, seen from above"
          className="h-auto w-full rounded-lg"
        />
        <figcaption className="mt-2 px-1 text-sm text-ink-soft">The photo</figcaption>
      </figure>
    </div>
  );
}
