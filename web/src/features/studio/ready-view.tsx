import { CircleCheck, CircleDashed, FileImage, Sparkles } from 'lucide-react';
import { type ReactNode, type Ref, useState } from 'react';
import { type LookView, limits } from '#contract';
import { countText } from '#web/lib/count-text.ts';
import { Button } from '#web/ui/button.tsx';
import { Name } from '#web/ui/name.tsx';
import { usableOptions } from '#web/ui/options/usable-options.ts';
import { PhotoSection } from './photo-section.tsx';
import type { Photo } from './photos.ts';
import { isSketch, ScenePicture, type ShownCutout, type WallChoice } from './scene-picture.tsx';
import { SceneWall } from './scene-wall.tsx';
import { nameOfChoice, type SceneChoice, withoutChoice } from './scene-words.ts';
import type { useStudioForm } from './use-studio-form.ts';

export interface ReadyViewProps {
  headingRef: Ref<HTMLHeadingElement>;
  studioForm: ReturnType<typeof useStudioForm>;
  looks: readonly LookView[];
  choice: SceneChoice | undefined;
  onChoose: (choice: WallChoice) => void;
  looksButton: ReactNode;
  /** What the plan lacks for an image, such as `a plan`; null for nothing. */
  missing: string | null;
  /** Null while the plan allows no image. */
  onGenerate: (() => void) | null;
}

/** With photos, before anything is made: the product on the left, and every scene to choose from. */
export function ReadyView(props: ReadyViewProps) {
  const { headingRef, studioForm, looks, choice, onChoose, looksButton, missing, onGenerate } = props;
  const { form, photosField, productNameInput } = studioForm;
  const error = form.formState.errors.productName?.message;
  const [first] = photosField.value;
  const cutout = first && studioForm.cutouts[first.id];
  const look = choice?.kind === 'look' ? looks.find(({ id }) => id === choice.look.id) : undefined;
  const shownChoice: WallChoice | undefined =
    choice?.kind === 'look' ? look && { kind: 'look', look } : choice;
  return (
    <div className="grid items-start gap-x-6 gap-y-4 lg:grid-cols-[20rem_minmax(0,1fr)]">
      <section
        aria-labelledby="stage-heading"
        className="grid min-w-0 grid-cols-[minmax(0,1fr)_auto] items-start gap-3 lg:sticky lg:top-20 lg:grid-cols-1"
      >
        <h2 id="stage-heading" ref={headingRef} tabIndex={-1} className="sr-only">
          Ready when you are
        </h2>
        <div>
          <label htmlFor="product-name" className="sr-only">
            Product name (optional)
          </label>
          <input
            id="product-name"
            dir="auto"
            placeholder="Product name"
            autoComplete="off"
            maxLength={limits.productNameCharacters}
            aria-invalid={error ? true : undefined}
            aria-describedby="product-name-hint"
            className="-ml-2 block min-h-11 w-full truncate rounded-field border border-transparent bg-transparent px-2 text-lg font-semibold tracking-tight placeholder:text-ink-soft hover:border-line-strong focus:border-line-strong focus:bg-surface aria-invalid:border-danger"
            {...productNameInput}
          />
          <p id="product-name-hint" className={error ? 'text-sm text-danger' : 'sr-only'}>
            {error ?? 'Used as the file name.'}
          </p>
        </div>
        <LargePicture photo={first} choice={shownChoice} cutout={cutout} />
        <PhotoSection studioForm={studioForm} />
        <Checklist
          studioForm={studioForm}
          looks={looks}
          choice={choice}
          missing={missing}
          onGenerate={onGenerate}
        />
      </section>
      <SceneWall
        looks={looks}
        chosen={choice}
        onChoose={onChoose}
        cutout={cutout}
        hasPhoto
        looksButton={looksButton}
      />
    </div>
  );
}

interface LargePictureProps {
  photo: Photo | undefined;
  choice: WallChoice | undefined;
  cutout: ShownCutout;
}

/** The product in the chosen scene as a sketch, or its first photo as it is. */
function LargePicture({ photo, choice, cutout }: LargePictureProps) {
  const [broken, setBroken] = useState<string | null>(null);
  const [wantsPhoto, setWantsPhoto] = useState(false);
  const sketched = choice && isSketch(choice, cutout) ? choice : null;
  const views = [
    { name: 'Sketch', isShown: !wantsPhoto, show: () => setWantsPhoto(false) },
    { name: 'Photo', isShown: wantsPhoto, show: () => setWantsPhoto(true) },
  ];
  return (
    <div className="relative grid h-[clamp(9rem,100dvh-35rem,20rem)] w-full place-items-center overflow-hidden rounded-card border border-line max-lg:hidden sweep">
      {sketched && !wantsPhoto ? (
        // As wide as it is high: the product stands in a square.
        <div className="absolute inset-y-0 left-1/2 aspect-square -translate-x-1/2">
          <ScenePicture choice={sketched} cutout={cutout} sizes="320px" />
        </div>
      ) : photo?.preview && photo.preview !== broken ? (
        <img
          src={photo.preview}
          alt=""
          onError={() => setBroken(photo.preview)}
          className="absolute inset-0 size-full object-contain"
        />
      ) : (
        <FileImage aria-hidden className="size-1/3 text-line-strong" strokeWidth={0.75} />
      )}
      {sketched && (
        <fieldset className="absolute top-2 left-2 flex rounded-[0.625rem] bg-surface p-0.5 shadow-card">
          <legend className="sr-only">Large picture</legend>
          {views.map(({ name, isShown, show }) => (
            <button
              key={name}
              type="button"
              aria-pressed={isShown}
              onClick={show}
              className="min-h-8 rounded-lg px-2.5 text-[0.8125rem] font-semibold text-ink-soft aria-pressed:bg-sunken aria-pressed:text-ink"
            >
              {name}
            </button>
          ))}
        </fieldset>
      )}
    </div>
  );
}

type ChecklistProps = Pick<ReadyViewProps, 'studioForm' | 'looks' | 'choice' | 'missing' | 'onGenerate'>;

/** What the image will be made of, and what is still missing. */
function Checklist({ studioForm, looks, choice, missing, onGenerate }: ChecklistProps) {
  const { form, photosField, optionLimits } = studioForm;
  const prompt = form.watch('prompt');
  const { numImages, width, height } = usableOptions(form.watch('options'), optionLimits);
  const photos = photosField.value.length;
  const hasWords = prompt.trim() !== '';
  const severalProducts = photos > 1 && form.watch('photosShow') === 'several-products';
  const own = withoutChoice(prompt, looks) !== '';
  const { imagesLeft } = optionLimits;
  return (
    <div className="grid gap-2.5 max-lg:col-span-2">
      <div className="flex min-h-11 items-center justify-between gap-3">
        <h3 className="font-semibold tracking-tight lg:text-[0.9375rem]">
          {readyText(hasWords ? null : 'a scene', missing)}
        </h3>
        {hasWords && onGenerate && (
          <Button variant="secondary" onClick={onGenerate} className="px-3.5! text-sm!">
            <Sparkles aria-hidden className="size-4.5" />
            Generate Now
          </Button>
        )}
      </div>
      <ul className="grid gap-1.5 text-sm text-ink-soft max-lg:hidden">
        <CheckItem done label={countText(photos, 'photo')}>
          {photos > 1 && (severalProducts ? ' of several products' : ' of one product')}.
        </CheckItem>
        <CheckItem done={hasWords} label="Scene:">
          {hasWords ? (
            choice ? (
              <>
                {' '}
                <Name>{nameOfChoice(choice)}</Name>
                {own ? ', with your words.' : '.'}
              </>
            ) : (
              ' in your words.'
            )
          ) : (
            ' choose a picture on the right, or describe the setting in your own words below.'
          )}
        </CheckItem>
        <CheckItem done={missing === null} label={countText(numImages, 'image')}>
          {` of ${width} × ${height}.`}
          {imagesLeft !== null && ` You have ${imagesLeft} left.`}
        </CheckItem>
      </ul>
    </div>
  );
}

/** Whether everything is there. Each is what is missing; null for nothing. */
function readyText(words: string | null, plan: string | null): string {
  if (words && plan) return `Two things missing: ${words} and ${plan}`;
  const missing = words ?? plan;
  return missing ? `One thing missing: ${missing}` : 'Ready to Generate';
}

function CheckItem({ done, label, children }: { done: boolean; label: string; children: ReactNode }) {
  const Icon = done ? CircleCheck : CircleDashed;
  return (
    <li className="flex items-start gap-2">
      <Icon aria-hidden className={done ? 'mt-0.5 size-4 shrink-0' : 'mt-0.5 size-4 shrink-0 text-accent'} />
      <span>
        <span className="font-semibold text-ink">{label}</span>
        {children}
      </span>
    </li>
  );
}
