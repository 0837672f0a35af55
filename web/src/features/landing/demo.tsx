import { useRef, useState } from 'react';
import { type SceneTemplate, sceneTemplates } from '#contract/templates.ts';
import { demoProducts } from '#web/pictures/demo.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { SiteLink } from '#web/ui/site/site-link.tsx';
import { PictureChoice } from './picture-choice.tsx';
import { PictureSwitch } from './picture-switch.tsx';
import { Section } from './section.tsx';
import { useIsUsed } from './use-is-used.ts';

const [firstProduct] = demoProducts;
const sizes = '(min-width: 64rem) 36rem, (min-width: 48rem) 50vw, 92vw';

/** Sample products in the templates. The images were made beforehand, so nothing has to be waited for. */
export function Demo({ signedIn }: { signedIn: boolean }) {
  const [product, setProduct] = useState(firstProduct);
  const [template, setTemplate] = useState<SceneTemplate>(sceneTemplates[0]);
  const element = useRef<HTMLDivElement>(null);
  const isUsed = useIsUsed(element);
  if (product === undefined) return null;
  const neighbours = [
    ...demoProducts.map(({ images }) => images[template]),
    ...sceneTemplates.map((each) => product.images[each]),
  ];
  return (
    <Section
      id="demo"
      title="Try it without an account"
      lead="Choose a sample product and a template, and see the image."
    >
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
            className={buttonClass('primary', 'min-h-13 justify-self-start px-7 text-base')}
          >
            Try it with your product
          </SiteLink>
        </div>
      </div>
    </Section>
  );
}
