import clsx from 'clsx';
import { useRef, useState } from 'react';
import { type SceneTemplate, sceneTemplates } from '#contract/templates.ts';
import { demoProducts } from '#web/pictures/demo.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { Picture, type PictureSource } from '#web/ui/picture.tsx';
import { SiteLink } from '#web/ui/site/site-link.tsx';
import { PictureSwitch, useHasInteracted } from './picture-switch.tsx';
import { Section } from './section.tsx';

const [firstProduct] = demoProducts;
const sizes = '(min-width: 64rem) 36rem, (min-width: 48rem) 50vw, 92vw';

/** Sample products in the templates: their images were made beforehand, so nothing has to be waited for. */
export function Demo({ signedIn }: { signedIn: boolean }) {
  const [product, setProduct] = useState(firstProduct);
  const [template, setTemplate] = useState<SceneTemplate>(sceneTemplates[0]);
  const element = useRef<HTMLDivElement>(null);
  const isUsed = useHasInteracted(element);
  if (product === undefined) return null;
  const neighbours = [
    ...demoProducts.map(({ images }) => images[template]),
    ...sceneTemplates.map((each) => product.images[each]),
  ];
  return (
    <Section id="demo" title="See it with a sample product">
      <div ref={element} className="grid gap-8 md:grid-cols-[1.15fr_1fr] lg:gap-14">
        <figure>
          <div className="relative aspect-square overflow-hidden rounded-card bg-sunken shadow-card">
            <PictureSwitch
              shown={product.images[template]}
              preload={isUsed ? neighbours : []}
              sizes={sizes}
            />
          </div>
          <figcaption className="mt-3 text-sm leading-snug text-ink-soft">
            Made with Packshot beforehand, from the sample photo you chose.
          </figcaption>
        </figure>
        <div className="grid content-start gap-7 lg:gap-9">
          <PictureChoice
            legend="Product"
            name="demo-product"
            options={demoProducts.map(({ id, name, photo }) => ({ value: id, label: name, picture: photo }))}
            value={product.id}
            onChange={(id) => setProduct(demoProducts.find((each) => each.id === id))}
            layout="above"
          />
          <PictureChoice
            legend="Template"
            name="demo-template"
            options={sceneTemplates.map((each) => ({
              value: each,
              label: each,
              picture: product.images[each],
            }))}
            value={template}
            onChange={setTemplate}
            layout="beside"
          />
          <SiteLink
            to={signedIn ? '/dashboard' : '/signup'}
            className={buttonClass('secondary', 'min-h-13 justify-self-start px-7 text-base')}
          >
            Try it with your product
          </SiteLink>
        </div>
      </div>
    </Section>
  );
}

interface PictureChoiceProps<Value extends string> {
  legend: string;
  /** The name of the radio buttons. */
  name: string;
  options: readonly { value: Value; label: string; picture: PictureSource }[];
  value: Value;
  onChange: (value: Value) => void;
  /** Where the picture is: above its label in three columns, or beside it in two. */
  layout: 'above' | 'beside';
}

/** Radio buttons with a picture each. */
function PictureChoice<Value extends string>({
  legend,
  name,
  options,
  value,
  onChange,
  layout,
}: PictureChoiceProps<Value>) {
  return (
    <fieldset>
      <legend className="mb-3 text-lg font-semibold">{legend}</legend>
      <div
        className={clsx(
          'grid gap-3',
          layout === 'above' ? 'grid-cols-3' : 'grid-cols-2 md:grid-cols-1 lg:grid-cols-2',
        )}
      >
        {options.map((option) => (
          <label
            key={option.value}
            className={clsx(
              layout === 'beside' && 'flex items-center',
              'relative overflow-hidden rounded-field border-2 border-line bg-surface transition-colors hover:border-line-strong has-checked:border-accent has-focus-visible:outline-[2.5px] has-focus-visible:outline-offset-2 has-focus-visible:outline-accent',
            )}
          >
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
              className="peer sr-only"
            />
            <Picture
              picture={option.picture}
              alt=""
              sizes={
                layout === 'above' ? '(min-width: 64rem) 10rem, 30vw' : '(min-width: 40rem) 4rem, 2.75rem'
              }
              className={clsx(
                'bg-sunken object-cover',
                layout === 'above'
                  ? 'aspect-4/3 w-full'
                  : 'h-full min-h-14 w-11 shrink-0 sm:min-h-16 sm:w-16',
              )}
            />
            <span className="block px-2 py-2 text-[0.8125rem] leading-snug font-medium text-ink-soft [overflow-wrap:break-word] peer-checked:text-ink lg:px-3 lg:text-sm">
              {option.label}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
