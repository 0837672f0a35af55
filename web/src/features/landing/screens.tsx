import { limits } from '#contract/limits.ts';
import { screenPictures } from '#web/pictures/screens.ts';
import { Picture } from '#web/ui/picture.tsx';
import { Section } from './section.tsx';

const screens = [
  {
    name: 'batch',
    title: 'A whole folder at once',
    text: `Up to ${limits.batchRows} products in one scene. Approve the images side by side, or have one made again.`,
  },
  {
    name: 'export',
    title: 'Files that marketplaces accept',
    text: 'For Amazon, eBay, Etsy, Shopify and others. You see every rule before you download.',
  },
] as const;

/** Batches and exports: screens of the product. */
export function Screens() {
  return (
    <Section id="screens" title="From a folder to your shops" band>
      <ul className="grid gap-x-8 gap-y-12 md:grid-cols-2">
        {screens.map(({ name, title, text }) => (
          <li key={name}>
            <Picture
              picture={screenPictures[name]}
              alt={screenPictures[name].alt}
              sizes="(min-width: 72rem) 34rem, (min-width: 48rem) 46vw, 92vw"
              className="h-auto w-full rounded-card border border-line shadow-card"
            />
            <h3 className="mt-5 text-xl font-semibold">{title}</h3>
            <p className="mt-2 leading-relaxed text-ink-soft">{text}</p>
          </li>
        ))}
      </ul>
    </Section>
  );
}
