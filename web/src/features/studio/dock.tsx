import clsx from 'clsx';
import { ChevronDown, ChevronUp, Sparkles, Undo2 } from 'lucide-react';
import { type FormEventHandler, type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { imageRatios, imageSizeOf, limits, pages } from '#contract';
import { messageOf } from '#web/lib/api.ts';
import { createComponentCode, useComponentCode } from '#web/lib/component-code.ts';
import { countText } from '#web/lib/count-text.ts';
import { shortcutOf } from '#web/lib/shortcut.ts';
import type { StudioOptions } from '#web/lib/studio-options.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { usableOptions } from '#web/ui/options/usable-options.ts';
import { Spinner } from '#web/ui/spinner.tsx';
import { OptionRow, type QualityChoice, qualityNames } from './option-row.tsx';
import { PhotoSection } from './photo-section.tsx';
import type { Photo } from './photos.ts';
import { SceneField } from './scene-field.tsx';
import { chipsIn, type SceneChoice, withChip } from './scene-words.ts';
import type { useStudioForm } from './use-studio-form.ts';

/** Shows the choice of the project that new images are added to. @param id null for the default project */
export type RenderProjectPicker = (id: string | null, onChange: (id: string | null) => void) => ReactNode;

/** Why the plan allows no image. */
export interface PlanGateView {
  /**
   * @param how `isShort`: without the plans to choose from, where there is no room for them; `isQuiet`: something else is the
   * next step
   */
  renderMessage: (how: { isShort: boolean; isQuiet: boolean }) => ReactNode;
  /** What the seller lacks, such as `a plan`. */
  missing: string;
  /** Whether another plan allows one. */
  leadsToPlans: boolean;
}

interface DockProps {
  studioForm: ReturnType<typeof useStudioForm>;
  onSubmit: FormEventHandler;
  /** Why the last submission failed. */
  error: Error | null;
  onClearError: () => void;
  /** A generation is being submitted or made. */
  busy: boolean;
  /** Whether something is shown above: then it is one line until it is opened. */
  collapsible: boolean;
  open: boolean;
  onOpen: (open: boolean) => void;
  /** Whether what is shown above has the next step, such as the download of a finished image. */
  isQuiet: boolean;
  choice: SceneChoice | undefined;
  /** The scenes to choose from, where they are not shown above; null otherwise. */
  wall: ReactNode;
  onRemoveChoice: () => void;
  /** Puts photos, words and options of the shown image into the form; null if they are there, or none is shown. */
  onUseSettings: (() => void) | null;
  quality: QualityChoice;
  looksButton: ReactNode;
  renderProjectPicker: RenderProjectPicker;
  /** How many more images there are today, once there are few. */
  limitNote: ReactNode;
  /** Null if the plan allows an image. */
  planGate: PlanGateView | null;
}

/** The form for new images, at the bottom in every state: words, options, and the button with what it costs. */
export function Dock(props: DockProps) {
  const { studioForm, onSubmit, error, onClearError, collapsible, open, planGate } = props;
  const { form } = studioForm;
  const options = usableOptions(form.watch('options'), studioForm.optionLimits);
  const collapsed = collapsible && !open;
  const formElement = useRef<HTMLFormElement>(null);
  useGenerateKey(() => formElement.current?.requestSubmit());
  return (
    <div className="pointer-events-none sticky bottom-(--bottom-bar) z-20 -mx-4 mt-auto sm:-mx-1.5 sm:bg-linear-to-t sm:from-page sm:from-40% sm:to-transparent sm:forced-colors:bg-[Canvas] sm:px-1.5 sm:pt-6 sm:pb-4">
      <form
        ref={formElement}
        noValidate
        data-dock
        aria-label="New product image"
        onSubmit={onSubmit}
        onChange={() => error && onClearError()}
        className="pointer-events-auto grid max-h-[calc(100dvh-5rem-var(--bottom-bar))] grid-cols-[minmax(0,1fr)] gap-3 overflow-y-auto overscroll-contain rounded-t-card border-t border-line bg-surface px-4 pt-3 pb-[max(0.75rem,var(--dock-safe-area))] shadow-lift sm:rounded-card sm:border sm:px-3 sm:pb-3"
      >
        {error && !planGate && <Notice tone="danger">{messageOf(error)}</Notice>}
        {planGate && (
          // On phones it scrolls in itself, and fades out where there is more.
          <div className="min-h-0 max-sm:max-h-[38dvh] max-sm:overflow-y-auto max-sm:pb-5 max-sm:[mask-image:linear-gradient(to_bottom,#000_calc(100%-1.25rem),transparent)]">
            {planGate.renderMessage({ isShort: collapsed, isQuiet: props.isQuiet })}
          </div>
        )}
        {collapsed ? (
          <CollapsedDock {...props} options={options} />
        ) : (
          <OpenDock {...props} options={options} />
        )}
        {props.limitNote}
      </form>
    </div>
  );
}

/** Calls `generate` for Ctrl+Enter anywhere in the studio, but for a dialog and a form of its own. */
function useGenerateKey(generate: () => void): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (shortcutOf(event) !== 'Mod+Enter' || event.defaultPrevented || event.repeat) return;
    if (document.querySelector('[role=dialog], [role=menu]') !== null) return;
    const { target } = event;
    if (target instanceof Element && target.closest('form:not([data-dock])') !== null) return;
    event.preventDefault();
    generate();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, []);
}

interface PartProps extends DockProps {
  options: StudioOptions;
}

/** Everything in one line, while something else is shown. */
function CollapsedDock(props: PartProps) {
  const { studioForm, options, onOpen, onUseSettings, quality } = props;
  const { form, photosField } = studioForm;
  const prompt = form.watch('prompt');
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 sm:flex-nowrap">
      <div className="flex shrink-0 gap-1 max-sm:hidden">
        {photosField.value.map((photo) => (
          <SmallPhoto key={photo.id} photo={photo} />
        ))}
      </div>
      <p dir="auto" className="min-w-0 flex-1 truncate text-[0.9375rem] max-md:hidden">
        {prompt}
      </p>
      <p className="shrink-0 text-[0.8125rem] text-ink-soft max-xl:hidden">
        {countText(options.numImages, 'image')} · {ratioOf(options)} · {qualityNames[quality.value]}
      </p>
      {onUseSettings && (
        <Button
          variant="secondary"
          onClick={onUseSettings}
          className="max-sm:flex-1 max-sm:px-3! max-sm:text-sm!"
        >
          <Undo2 aria-hidden className="size-4" />
          Use these settings
        </Button>
      )}
      <Button
        variant="quiet"
        aria-expanded={false}
        onClick={() => onOpen(true)}
        className="max-sm:flex-1 max-sm:px-3! max-sm:text-sm! md:px-3!"
      >
        <ChevronUp aria-hidden className="size-4" />
        Words and options
      </Button>
      <div className="max-sm:flex-1">
        <SubmitPart {...props} compact />
      </div>
    </div>
  );
}

function ratioOf({ width, height }: StudioOptions): string {
  const size = imageSizeOf(width, height);
  return size ? imageRatios[size] : `${width} × ${height}`;
}

function SmallPhoto({ photo }: { photo: Photo }) {
  const [broken, setBroken] = useState(false);
  if (photo.preview === null || broken) return null;
  return (
    <img
      src={photo.preview}
      alt=""
      onError={() => setBroken(true)}
      className="size-9 rounded-lg border border-line object-cover"
    />
  );
}

const fieldsCode = createComponentCode(
  async () => (await import('#web/ui/options/studio-option-fields.tsx')).StudioOptionFields,
);
const preloadFields = () => void fieldsCode.preload();

function OpenDock(props: PartProps) {
  const { studioForm, options, collapsible, onOpen, choice, quality } = props;
  const { form, productNameInput, optionLimits } = studioForm;
  const { errors, isSubmitted } = form.formState;
  const [showsMore, setShowsMore] = useState(false);
  const [showsScenes, setShowsScenes] = useState(false);
  const Fields = useComponentCode(fieldsCode, showsMore);
  const prompt = form.watch('prompt');
  const setPrompt = (description: string) =>
    form.setValue('prompt', description, { shouldDirty: true, shouldValidate: isSubmitted });
  const productName = (
    <Field
      label="Product name (optional)"
      autoComplete="off"
      maxLength={limits.productNameCharacters}
      hint="Used as the file name."
      error={errors.productName?.message}
      {...productNameInput}
    />
  );
  return (
    <>
      {collapsible && (
        <>
          <div className="-my-1 flex items-center justify-between gap-3">
            <h3 className="font-semibold">Words and options</h3>
            <Button variant="quiet" aria-expanded onClick={() => onOpen(false)} className="px-3!">
              <ChevronDown aria-hidden className="size-4" />
              Close
            </Button>
          </div>
          <div className="grid items-start gap-4 sm:grid-cols-[20rem_minmax(0,1fr)]">
            <PhotoSection studioForm={studioForm} />
            {productName}
          </div>
        </>
      )}
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-3 lg:grid-cols-[minmax(0,1fr)_13rem]">
        <SceneField
          input={form.register('prompt')}
          description={prompt}
          error={errors.prompt?.message}
          choice={choice}
          onRemoveChoice={props.onRemoveChoice}
        />
        <div className="max-lg:order-3">
          <SubmitPart {...props} />
        </div>
        <div className="min-w-0 lg:col-span-2">
          <OptionRow
            options={options}
            optionLimits={optionLimits}
            onChange={studioForm.changeOptions}
            quality={quality}
            chips={chipsIn(prompt)}
            onToggleChip={(chip) => setPrompt(withChip(chip, prompt))}
            showsScenes={props.wall === null ? null : showsScenes}
            onShowScenes={() => setShowsScenes(!showsScenes)}
            showsMore={showsMore}
            onShowMore={() => setShowsMore(!showsMore)}
            onMoreIntent={preloadFields}
          />
        </div>
        {showsScenes && props.wall !== null && (
          <div className="max-h-[42dvh] overflow-y-auto border-t border-line p-1 pt-3 max-lg:order-4 lg:col-span-2">
            {props.wall}
          </div>
        )}
        {showsMore && Fields && (
          <div className="grid gap-4 border-t border-line pt-3 sm:grid-cols-2 max-lg:order-4 lg:col-span-2 lg:grid-cols-3">
            <Fields options={options} {...optionLimits} onChange={studioForm.changeOptions} />
            {props.renderProjectPicker(options.projectId, (projectId) =>
              studioForm.changeOptions({ ...options, projectId }),
            )}
            <div>{props.looksButton}</div>
          </div>
        )}
      </div>
    </>
  );
}

/** The button, and beside it what is missing or what it costs. */
function SubmitPart(props: PartProps & { compact?: boolean }) {
  const { studioForm, options, busy, isQuiet, planGate, compact = false } = props;
  const { form, photosField, optionLimits } = studioForm;
  if (planGate) {
    if (!planGate.leadsToPlans) return null;
    return (
      <Link to={`${pages.plan}#plans`} className={buttonClass('secondary', 'w-full')}>
        See plans
      </Link>
    );
  }
  const missing = missingText(photosField.value.length > 0, form.watch('prompt').trim() !== '');
  const { imagesLeft } = optionLimits;
  const { numImages } = options;
  const cost = `Makes ${countText(numImages, 'image')}`;
  return (
    <div className={clsx('grid gap-1.5', compact && 'lg:flex lg:items-center')}>
      <Button
        type="submit"
        variant={missing || isQuiet ? 'secondary' : 'primary'}
        disabled={busy}
        aria-keyshortcuts="Control+Enter"
        aria-describedby="generate-note"
        className={clsx(
          'w-full',
          compact && 'max-sm:px-3! max-sm:text-sm!',
          missing && 'bg-sunken! text-ink-soft!',
        )}
      >
        {busy ? <Spinner /> : <Sparkles aria-hidden className="size-4.5" />}
        {busy ? 'Generating...' : 'Generate Image'}
      </Button>
      {(!compact || missing || numImages > 1) && (
        <p id="generate-note" className="text-center text-xs text-ink-soft tabular-nums">
          {missing ?? (imagesLeft === null ? cost : `${cost}, leaves ${Math.max(0, imagesLeft - numImages)}`)}
        </p>
      )}
    </div>
  );
}

/** What the form lacks, in a few words; null for nothing. */
function missingText(hasPhoto: boolean, hasWords: boolean): string | null {
  if (!hasPhoto) return hasWords ? 'Add a photo first' : 'Add a photo and a scene first';
  return hasWords ? null : 'Choose or describe a scene first';
}
