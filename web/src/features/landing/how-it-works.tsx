import { Download } from 'lucide-react';
import type { ReactNode } from 'react';
import { limits } from '#contract/limits.ts';
import { heroPairs } from '#web/pictures/hero.ts';
import { Picture } from '#web/ui/picture.tsx';
import { Section } from './section.tsx';

const pair = heroPairs[1];
const sizes = '(min-width: 48rem) 21rem, 92vw';

const steps: readonly { title: string; text: string; example: ReactNode }[] = pair
  ? [
      {
        title: 'Upload Your Product',
        text: `Up to ${limits.photos} photos, straight from your phone. All of them are used.`,
        example: (
          <Picture
            picture={pair.photo}
            alt={pair.photo.alt}
            sizes={sizes}
            className="aspect-square w-full object-cover"
          />
        ),
      },
      {
        title: 'Describe Your Scene',
        text: 'In your own words, or start from a template.',
        example: (
          <div className="sweep grid size-full place-items-center px-6 py-10">
            <p className="w-full max-w-60 rounded-field border border-line-strong bg-surface p-4 text-[0.9375rem] leading-relaxed shadow-card">
              {pair.image.scene}
              {/* The caret takes no space, so it never begins a line. */}
              <span aria-hidden className="relative">
                <span className="absolute top-0.5 left-0.5 h-[1.1em] w-0.5 bg-accent" />
              </span>
            </p>
          </div>
        ),
      },
      {
        title: 'Generate & Download',
        text: `Watch it take shape and download it at ${limits.outputWidth} × ${limits.outputHeight} pixels.`,
        example: (
          <div className="relative">
            <Picture
              picture={pair.image}
              alt={pair.image.alt}
              sizes={sizes}
              className="aspect-square w-full object-cover"
            />
            <span
              aria-hidden
              className="absolute right-3 bottom-3 grid size-11 place-items-center rounded-full bg-accent text-accent-ink shadow-card"
            >
              <Download className="size-5" />
            </span>
          </div>
        ),
      },
    ]
  : [];

/** The three steps from a photo to an image, shown with one example. */
export function HowItWorks() {
  return (
    <Section
      id="how"
      title="How It Works"
      lead="From a photo on your phone to an image for your listing."
      band
    >
      <ol className="grid gap-10 md:grid-cols-3 md:gap-6 lg:gap-10">
        {steps.map(({ title, text, example }, index) => (
          <li key={title}>
            <div className="overflow-hidden md:aspect-square rounded-card border border-line bg-sunken">
              {example}
            </div>
            <div className="mt-5 flex items-start gap-4">
              <span
                aria-hidden
                className="grid size-9 shrink-0 place-items-center rounded-full border border-line-strong font-semibold text-ink-soft"
              >
                {index + 1}
              </span>
              <div>
                <h3 className="pt-1 text-xl font-semibold">{title}</h3>
                <p className="mt-1.5 leading-relaxed text-ink-soft">{text}</p>
              </div>
            </div>
          </li>
        ))}
      </ol>
    </Section>
  );
}
