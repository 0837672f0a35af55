import {
  type BaseSyntheticEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { flushSync } from 'react-dom';
import { toast } from 'sonner';
import { acceptedPhotos, type GenerationView, hasEnded, type LookView, limits } from '#contract';
import { ApiError } from '#web/lib/api.ts';
import { createComponentCode, useComponentCode } from '#web/lib/component-code.ts';
import { useSingleKeys } from '#web/lib/single-keys.ts';
import type { StudioOptions } from '#web/lib/studio-options.ts';
import { type OptionLimits, usableOptions } from '#web/ui/options/usable-options.ts';
import { SkeletonBlock } from '#web/ui/skeleton.tsx';
import { Dock, type PlanGateView, type RenderProjectPicker } from './dock.tsx';
import { EmptyView } from './empty-view.tsx';
import { generationCode } from './generation-code.ts';
import type { QualityChoice } from './option-row.tsx';
import { isSetPending } from './progress-text.ts';
import type { ReadyViewProps } from './ready-view.tsx';
import type { SceneWallProps } from './scene-wall.tsx';
import { choiceIn, isSameChoice, withChoice, withoutChoice } from './scene-words.ts';
import type { OpensWith } from './set-view.tsx';
import { Stage } from './stage.tsx';
import { useSubmission } from './submission.tsx';
import type { FormPhotos } from './use-image-as-photo.ts';
import { useRetry } from './use-retry.ts';
import { useStudioForm } from './use-studio-form.ts';

/** How the form can use a finished image. */
export interface ImageUses {
  /** Submits its photos, texts and options again; null while that is not possible. */
  runAgain: (() => void) | null;
  formPhotos: FormPhotos;
}

/** What the form contains. */
export interface FormContent {
  prompt: string;
  options: StudioOptions;
}

interface StudioProps {
  /** The generation to show; null for none, undefined while it is loading. */
  view: GenerationView | null | undefined;
  /** The takes of its set, or of the set that is shown; empty for a generation that is alone. */
  takes: readonly GenerationView[];
  /** Whether the set is shown, with all its takes. */
  showsSet: boolean;
  /** Shows a generation, or none. */
  onShow: (id: string | null) => void;
  onShowSet: (setId: string) => void;
  /** Whose draft is saved; null for none. */
  draftSellerId: string | null;
  optionLimits: OptionLimits;
  quality: QualityChoice;
  /** Resolves when the quality that was chosen is saved; to false if it could not be. */
  untilQualitySaved: () => Promise<boolean>;
  looks: readonly LookView[];
  /** Called when a look was put into the form. @param onFill puts something else into it */
  onLookApplied: (look: LookView, before: FormContent, onFill: (content: FormContent) => void) => void;
  /** The options of a look, as far as they are available. */
  optionsOfLook: (look: LookView, options: StudioOptions) => StudioOptions;
  /** The button of the saved looks. */
  renderLooksButton: (content: FormContent) => ReactNode;
  renderProjectPicker: RenderProjectPicker;
  /** How many more images there are today, once there are few. */
  limitNote: ReactNode;
  /**
   * Says why the plan allows no image; null if it allows one.
   * @param errorCode of the last submission, null if it did not fail
   */
  renderPlanGate: (errorCode: string | null) => PlanGateView | null;
  /** Below the main area. */
  badge: ReactNode;
  /** The buttons of a finished image, or below why there is none. */
  renderActions: (view: GenerationView, uses: ImageUses, buttons: ReactNode) => ReactNode;
  /** The button that edits a take of a set. */
  renderEdit: (view: GenerationView) => ReactNode;
  /** Beside the download of a set. */
  renderSetActions: (takes: readonly GenerationView[]) => ReactNode;
  /** Earlier generations. @param product the name of the one that is shown; null for all */
  renderHistory: (onShow: (id: string) => void, product: string | null) => ReactNode;
}

const readyCode = createComponentCode(async () => (await import('./ready-view.tsx')).ReadyView);

const wallCode = createComponentCode(async () => (await import('./scene-wall.tsx')).SceneWall);

/** The scenes to choose from, once their code is loaded. */
function LazySceneWall(props: SceneWallProps) {
  const SceneWall = useComponentCode(wallCode, true);
  return SceneWall ? <SceneWall {...props} /> : <SkeletonBlock className="h-60 w-full" />;
}

/** The workspace: the product and its image in the main area, and the form at the bottom. */
export function Studio(props: StudioProps) {
  const { view, takes, showsSet, onShow, onShowSet, looks, renderPlanGate } = props;
  const heading = useRef<HTMLHeadingElement>(null);
  const uploadButton = useRef<HTMLButtonElement>(null);
  const container = useRef<HTMLDivElement>(null);
  const [dockOpen, setDockOpen] = useState(false);
  const [opensWith, setOpensWith] = useState<OpensWith>();
  usePanelTop(container);
  const submission = useSubmission({
    onAccepted: (accepted, submitted) => {
      recordSubmission(accepted, submitted);
      if (accepted.set.size > 1) onShowSet(accepted.set.id);
      else onShow(accepted.id);
    },
    // The form shows the error.
    onFailed: () => {},
  });
  const studioForm = useStudioForm({
    draftSellerId: props.draftSellerId,
    onSentForm: submission.restoreSentForm,
    optionLimits: props.optionLimits,
    onDropped: () => {
      if (state !== 'shown' || dockOpen) return false;
      // The form is not hidden any more: the seller sees which photos it has.
      if (sending) setDockOpen(true);
      else show(null);
      return !sending && view?.productName === form.getValues('productName')?.trim();
    },
  });
  const { form, photosField, fillIn, dropzone, saveDraft, untilPhotosChecked, checkingPhotos } = studioForm;
  const { uploadProgress, error } = submission;
  const sending = uploadProgress !== null;
  const shownPending = showsSet ? isSetPending(takes) : !!view && !hasEnded(view.state);
  const busy = sending || shownPending;
  const hasImage = (showsSet ? takes : [view]).some((each) => each?.image);
  const planGate = renderPlanGate(error instanceof ApiError ? error.code : null);
  const [firstPhoto] = photosField.value;
  const hasPhotos = firstPhoto !== undefined;
  const state = sending || view !== null ? 'shown' : hasPhotos ? 'ready' : 'empty';
  const ReadyView = useComponentCode(readyCode, state === 'ready' || checkingPhotos > 0);
  useEffect(() => {
    // The next thing that is shown.
    if (state === 'ready') void generationCode.preload();
  }, [state]);
  useFocusAfterChange(state, [showsSet ? view?.set.id : view?.id, showsSet].join(), {
    heading,
    uploadButton,
  });

  const submitForm = form.handleSubmit(async (values) => {
    if (busy || renderPlanGate(null)) return;
    saveDraft();
    if (!(await props.untilQualitySaved())) return;
    setDockOpen(false);
    // Exactly what the form shows: the plan or the balance may have changed since it was chosen.
    submission.submit({ ...values, options: usableOptions(values.options, props.optionLimits) });
    moveTo(heading.current);
  });
  const generate = async (event?: BaseSyntheticEvent) => {
    event?.preventDefault();
    // The same error again is then a new element: it is announced again.
    flushSync(() => form.clearErrors());
    await untilPhotosChecked();
    const { photos, prompt } = form.getValues();
    // What is missing gets the focus, so it has to be there.
    if (photos.length === 0 || prompt.trim() === '') flushSync(() => setDockOpen(true));
    await submitForm();
  };
  const { retry, retrying, recordSubmission, fillInFrom, isInForm } = useRetry({
    form,
    fillIn,
    generate,
    onFilledIn: () => {
      setDockOpen(true);
      toast('The photos, words and options of this image are in the form now.');
    },
  });
  const formPhotos: FormPhotos = {
    add: studioForm.addPhotos,
    untilChecked: untilPhotosChecked,
    count: () => form.getValues('photos').length,
  };

  const prompt = form.watch('prompt');
  const content = { prompt, options: usableOptions(form.watch('options'), props.optionLimits) };
  const choice = choiceIn(prompt, looks);
  const setPrompt = (description: string) =>
    form.setValue('prompt', description, { shouldDirty: true, shouldValidate: form.formState.isSubmitted });
  const onChoose: ReadyViewProps['onChoose'] = (chosen) => {
    if (isSameChoice(chosen, choice)) return setPrompt(withoutChoice(prompt, looks));
    setPrompt(withChoice(chosen, prompt, looks));
    if (chosen.kind !== 'look') return;
    studioForm.changeOptions(props.optionsOfLook(chosen.look, content.options));
    props.onLookApplied(chosen.look, content, (before) => {
      setPrompt(before.prompt);
      studioForm.changeOptions(before.options);
    });
  };
  const show = (id: string | null, opened?: OpensWith) => {
    setDockOpen(false);
    setOpensWith(opened);
    onShow(id);
  };
  useSingleKeys(
    numberKeys((number) => {
      // The takes, while they are shown and the number of images is not.
      if (state === 'shown' && !dockOpen && takes.length > 1) {
        const take = takes[number - 1];
        if (take?.image) show(take.id);
        return;
      }
      const { imagesLeft } = props.optionLimits;
      if (imagesLeft === null || number <= Math.max(1, imagesLeft)) {
        studioForm.changeOptions({ ...content.options, numImages: number });
      }
    }),
  );
  const looksButton = props.renderLooksButton(content);
  const filmstrip = props.renderHistory(
    (id) => {
      show(id);
      moveTo(heading.current);
    },
    (state === 'shown' && view?.productName) || null,
  );
  const canUseSettings = view && !showsSet && hasEnded(view.state) && !isInForm(view);

  return (
    <div {...dropzone.getRootProps()}>
      <input
        {...dropzone.getInputProps({ accept: acceptedPhotos(), 'aria-label': 'Product photos' })}
        tabIndex={-1}
      />
      <div
        ref={container}
        className="mx-auto flex min-h-[calc(100dvh-3.8125rem-var(--bottom-bar))] w-full max-w-[100rem] flex-col gap-5 px-4 pt-5 sm:px-6"
      >
        {state === 'empty' && (
          <EmptyView
            headingRef={heading}
            buttonRefs={[uploadButton, photosField.ref]}
            isQuiet={planGate !== null}
            error={form.formState.errors.photos?.message}
            dragging={dropzone.isDragActive}
            checkingCount={checkingPhotos}
            onAdd={dropzone.open}
            onTaken={studioForm.addPhotos}
            onSample={(product, photo) => {
              studioForm.fillInSample(photo, product);
              moveTo(heading.current);
            }}
          />
        )}
        {state === 'ready' &&
          (ReadyView ? (
            <ReadyView
              headingRef={heading}
              studioForm={studioForm}
              looks={looks}
              choice={choice}
              onChoose={onChoose}
              looksButton={looksButton}
              missing={planGate?.missing ?? null}
              onGenerate={planGate ? null : () => generate()}
            />
          ) : (
            <ReadySkeleton />
          ))}
        {state === 'shown' && (
          <Stage
            headingRef={heading}
            photo={sending ? submission.photo : undefined}
            uploadProgress={uploadProgress}
            sentSize={form.getValues('options')}
            optionLimits={props.optionLimits}
            view={view}
            takes={takes}
            showsSet={showsSet}
            opensWith={opensWith}
            setActions={{
              onShow: show,
              renderEdit: props.renderEdit,
              onCancel: (id, useImage) => submission.cancel({ id, useImage }),
              onRetry: planGate || retrying ? null : retry,
              onClear: () => show(null),
              actions: props.renderSetActions(takes),
            }}
            onShowSet={() => view && onShowSet(view.set.id)}
            cancelling={submission.cancelling}
            retrying={retrying}
            badge={props.badge}
            filmstrip={filmstrip}
            onCancelUpload={submission.cancelUpload}
            onCancel={(useImage) => view && submission.cancel({ id: view.id, useImage })}
            onRetry={planGate ? null : () => view && retry(view)}
            onClear={() => show(null)}
            renderActions={(shown, buttons) =>
              props.renderActions(
                shown,
                {
                  runAgain: planGate || retrying ? null : () => retry(shown),
                  formPhotos,
                },
                buttons,
              )
            }
          />
        )}
        {state !== 'shown' && filmstrip}
        <Dock
          studioForm={studioForm}
          onSubmit={generate}
          error={error}
          onClearError={submission.clearError}
          busy={busy}
          collapsible={state === 'shown'}
          open={dockOpen}
          onOpen={setDockOpen}
          isQuiet={state === 'shown' && !busy && (planGate === null || hasImage)}
          choice={choice}
          wall={
            state === 'ready' ? null : (
              <LazySceneWall
                looks={looks}
                chosen={choice}
                onChoose={onChoose}
                cutout={firstPhoto ? studioForm.cutouts[firstPhoto.id] : null}
                hasPhoto={hasPhotos}
                looksButton={looksButton}
              />
            )
          }
          onRemoveChoice={() => setPrompt(withoutChoice(prompt, looks))}
          onUseSettings={canUseSettings ? () => fillInFrom(view) : null}
          quality={props.quality}
          looksButton={looksButton}
          renderProjectPicker={props.renderProjectPicker}
          limitNote={props.limitNote}
          planGate={planGate}
        />
      </div>
    </div>
  );
}

/** What `useSingleKeys` takes for 1 to 4, which some keyboards type with Shift. */
function numberKeys(choose: (number: number) => void): Record<string, () => void> {
  const numbers = Array.from({ length: limits.imagesPerRequest }, (_, index) => index + 1);
  return Object.fromEntries(
    numbers.flatMap((number) => [`${number}`, `Shift+${number}`].map((key) => [key, () => choose(number)])),
  );
}

/** The product and the scenes while their code is loading. */
function ReadySkeleton() {
  return (
    <div className="grid gap-6 lg:grid-cols-[20rem_minmax(0,1fr)]">
      <SkeletonBlock className="aspect-square w-full rounded-card max-lg:hidden" />
      <SkeletonBlock className="h-80 w-full rounded-card" />
    </div>
  );
}

interface FocusTargets {
  heading: RefObject<HTMLHeadingElement | null>;
  uploadButton: RefObject<HTMLElement | null>;
}

/**
 * Moves the focus to what is shown now, and where what had it is gone: without photos to the button that adds them.
 * @param image that is shown
 */
function useFocusAfterChange(state: string, image: string, { heading, uploadButton }: FocusTargets): void {
  const shown = useRef({ state, image });
  useEffect(() => {
    const before = shown.current;
    shown.current = { state, image };
    if (before.state === state && before.image === image) return;
    if (state === 'shown' && before.state !== state) return moveTo(heading.current);
    if (document.activeElement !== document.body) return;
    const target = before.state === 'ready' && state === 'empty' ? uploadButton : heading;
    target.current?.focus({ preventScroll: true });
  }, [state, image, heading, uploadButton]);
}

/** Focuses the heading, and scrolls to it unless it is near the top. */
function moveTo(heading: HTMLHeadingElement | null): void {
  if (heading === null) return;
  heading.focus({ preventScroll: true });
  const { top } = heading.getBoundingClientRect();
  if (top > 56 && top < window.innerHeight / 3) return;
  heading.scrollIntoView({ block: 'start', behavior: 'smooth' });
}

/** Padding above the studio, in px (`pt-5`). */
const paddingPx = 20;
/** Where the studio begins without anything above it but the top bar, in px. */
const usualTopPx = 80;

/**
 * Keeps `--panel-top` of an element up to date: the height of what is above it, such as the banner of an overdue payment, so
 * that a finished image and its buttons fit in the window.
 */
function usePanelTop(container: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = container.current;
    const root = document.getElementById('root');
    if (element === null || root === null) return;
    const measure = () => {
      const top = element.getBoundingClientRect().top + window.scrollY + paddingPx;
      element.style.setProperty('--panel-top', `${Math.max(top, usualTopPx)}px`);
    };
    measure();
    // What appears above moves everything below it, so the height of the page changes.
    const observer = new ResizeObserver(measure);
    observer.observe(root);
    return () => observer.disconnect();
  }, [container]);
}
