import { useRef, useState } from 'react';
import { heroPairs } from '#web/pictures/hero.ts';
import { Picture } from '#web/ui/picture.tsx';
import { BeforeAfter } from './before-after.tsx';
import { useIsUsed } from './use-is-used.ts';

const [first, ...others] = heroPairs;

/** The before/after slider, and buttons that choose another product for it. */
export function HeroPairs() {
  const [chosen, setChosen] = useState(first);
  const element = useRef<HTMLDivElement>(null);
  const isUsed = useIsUsed(element);
  if (chosen === undefined) return null;
  return (
    <div ref={element} className="mx-auto w-full max-w-xl">
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
