import { demoProducts } from '#web/pictures/demo.ts';
import { loginPictures } from '#web/pictures/login.ts';
import type { SitePicture } from '#web/pictures/picture-group.ts';
import { Picture } from '#web/ui/picture.tsx';
import { Section } from './section.tsx';

const other = (name: string) => loginPictures.find((picture) => picture.name === name);

const uses: readonly { title: string; text: string; picture: SitePicture | undefined }[] = [
  {
    title: 'Commerce Products',
    text: 'A clean white background for the listing, a warm table for the shop window, from the same photo.',
    picture: demoProducts.find(({ id }) => id === 'vase')?.images['Minimalist White Background'],
  },
  {
    title: 'Marketing Campaigns',
    text: 'Try a season, a place or a mood before anybody books a location.',
    picture: other('bottle-beach'),
  },
  {
    title: 'Fashion Shoots',
    text: 'Bags, shoes and accessories, in the light and on the surfaces of the collection.',
    picture: other('headphones-black'),
  },
  {
    title: 'Product Advertising',
    text: 'One strong image for the ad: one product, one colour, nothing that distracts.',
    picture: other('notebook-mustard'),
  },
];

/** Whom Packshot is for. */
export function PerfectFor() {
  return (
    <Section id="perfect-for" title="Perfect For" band>
      <ul className="grid gap-x-5 gap-y-7 sm:grid-cols-2 sm:gap-y-9 lg:grid-cols-4">
        {uses.map(({ title, text, picture }) => (
          <li key={title} className="grid grid-cols-[7rem_1fr] items-center gap-4 sm:block">
            {picture && (
              <Picture
                picture={picture}
                alt={picture.alt}
                sizes="(min-width: 64rem) 17rem, (min-width: 40rem) 46vw, 7rem"
                className="aspect-square w-full rounded-card border border-line bg-sunken object-cover"
              />
            )}
            <div>
              <h3 className="text-xl font-semibold sm:mt-4">{title}</h3>
              <p className="mt-1.5 leading-relaxed text-ink-soft">{text}</p>
            </div>
          </li>
        ))}
      </ul>
    </Section>
  );
}
