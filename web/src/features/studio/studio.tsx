import { type BaseSyntheticEvent, type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react';
import { flushSync } from 'react-dom';
import { acceptedPhotos, type GenerationView, hasEnded } from '#contract';
import { ApiError } from '#web/lib/api.ts';
import { type OptionLimits, usableOptions } from '#web/ui/options/usable-options.ts';
import { GenerationForm, type RenderLooksButton, type RenderProjectPicker } from './generation-form.tsx';
import { isSetPending } from './progress-text.ts';
import { Stage } from './stage.tsx';
import { useSubmission } from './submission.tsx';
import { useImageAsPhoto } from './use-image-as-photo.ts';
import { useRetry } from './use-retry.ts';
import { useStudioForm } from './use-studio-form.ts';

/** How the form can use a finished image. */
export interface ImageUses {
  /** Submits its photos, texts and options again; null while that is not possible. */
  runAgain: (() => void) | null;
  /** Adds it to the photos; null while it is being fetched. */
  addAsPhoto: (() => void) | null;
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
  renderLooksButton: RenderLooksButton;
  renderProjectPicker: RenderProjectPicker;
  planMeter: ReactNode;
  /**
   * Says why the plan allows no image, in place of the Generate button; null if it allows one.
   * @param errorCode of the last submission, null if it did not fail
   */
  renderPlanGate: (errorCode: string | null) => ReactNode;
  /** Below the main area. */
  badge: ReactNode;
  /** Beside the download of a finished image, or below why there is none. */
  renderActions: (view: GenerationView, uses: ImageUses) => ReactNode;
  /** Earlier generations, beside or below the main area. */
  renderHistory: (onShow: (id: string) => void) => ReactNode;
}

/** The workspace: the form on the left, and the image in the main area. */
export function Studio(props: StudioProps) {
  const {
    view,
    takes,
    showsSet,
    onShow,
    onShowSet,
    draftSellerId,
    renderLooksButton,
    renderProjectPicker,
    planMeter,
    renderPlanGate,
    badge,
    renderActions,
    renderHistory,
  } = props;
  const stageHeading = useRef<HTMLHeadingElement>(null);
  const panels = useRef<HTMLDivElement>(null);
  usePanelTop(panels);
  const submission = useSubmission({
    onAccepted: (accepted, submitted) => {
      recordSubmission(accepted.id, submitted);
      if (accepted.set.size > 1) onShowSet(accepted.set.id);
      else onShow(accepted.id);
    },
    // The form shows the error.
    onFailed: () => {},
  });
  const studioForm = useStudioForm({
    draftSellerId,
    onSentForm: submission.restoreSentForm,
    optionLimits: props.optionLimits,
  });
  const { form, photosField, fillIn, dropzone, saveDraft, untilPhotosChecked } = studioForm;
  const { uploadProgress, error } = submission;
  const shownPending = showsSet ? isSetPending(takes) : !!view && !hasEnded(view.state);
  const busy = uploadProgress !== null || shownPending;
  const planGate = renderPlanGate(error instanceof ApiError ? error.code : null);

  const submitForm = form.handleSubmit((values) => {
    if (busy || renderPlanGate(null)) return;
    // Before it is submitted: afterwards it would be saved as the draft of another image.
    saveDraft();
    // Exactly what the form shows: the plan or the balance may have changed since it was chosen.
    submission.submit({ ...values, options: usableOptions(values.options, props.optionLimits) });
    moveTo(stageHeading.current);
  });
  const generate = async (event?: BaseSyntheticEvent) => {
    event?.preventDefault();
    // The same error again is then a new element: it is announced again.
    flushSync(() => form.clearErrors());
    await untilPhotosChecked();
    await submitForm();
  };
  const { retry, retrying, recordSubmission } = useRetry({ form, fillIn, generate });
  const { addAsPhoto, addingAsPhoto } = useImageAsPhoto({
    add: studioForm.addPhotos,
    untilChecked: untilPhotosChecked,
    count: () => form.getValues('photos').length,
  });

  return (
    <div {...dropzone.getRootProps()}>
      <input
        {...dropzone.getInputProps({ accept: acceptedPhotos(), 'aria-label': 'Product photos' })}
        tabIndex={-1}
      />
      <div
        ref={panels}
        className="mx-auto grid w-full max-w-[100rem] grid-cols-[minmax(0,1fr)] items-start gap-5 px-4 pt-5 pb-36 sm:px-6 lg:grid-cols-[22rem_minmax(0,1fr)] lg:grid-rows-[auto_1fr] lg:pb-10 xl:grid-cols-[22rem_minmax(0,1fr)_17rem]"
      >
        <GenerationForm
          studioForm={studioForm}
          onSubmit={generate}
          error={error}
          onClearError={submission.clearError}
          busy={busy}
          renderLooksButton={renderLooksButton}
          renderProjectPicker={renderProjectPicker}
          planMeter={planMeter}
          planGate={planGate}
        />
        <Stage
          headingRef={stageHeading}
          photo={uploadProgress === null ? photosField.value[0] : submission.photo}
          uploadProgress={uploadProgress}
          sentSize={form.getValues('options')}
          optionLimits={props.optionLimits}
          view={view}
          takes={takes}
          showsSet={showsSet}
          setActions={{
            onShow,
            onCancel: (id, useImage) => submission.cancel({ id, useImage }),
            onRetry: planGate || retrying ? null : retry,
            onClear: () => onShow(null),
          }}
          onShowSet={() => view && onShowSet(view.set.id)}
          dragging={dropzone.isDragActive}
          cancelling={submission.cancelling}
          retrying={retrying}
          badge={badge}
          onAdd={dropzone.open}
          onSample={(product, photo) => {
            studioForm.fillInSample(photo, product);
            moveTo(stageHeading.current);
          }}
          onGenerate={planGate ? null : () => generate()}
          onCancelUpload={submission.cancelUpload}
          onCancel={(useImage) => view && submission.cancel({ id: view.id, useImage })}
          onRetry={planGate ? null : () => view && retry(view)}
          onClear={() => onShow(null)}
          renderActions={(shown) =>
            renderActions(shown, {
              runAgain: planGate || retrying ? null : () => retry(shown),
              addAsPhoto: addingAsPhoto ? null : () => addAsPhoto(shown),
            })
          }
        />
        {renderHistory((id) => {
          onShow(id);
          moveTo(stageHeading.current);
        })}
      </div>
    </div>
  );
}

/** Focuses the heading, and scrolls to it unless it is near the top: on a phone the form is above the main area. */
function moveTo(heading: HTMLHeadingElement | null): void {
  if (heading === null) return;
  heading.focus({ preventScroll: true });
  const { top } = heading.getBoundingClientRect();
  if (top > 56 && top < window.innerHeight / 3) return;
  heading.scrollIntoView({ block: 'start', behavior: 'smooth' });
}

/** Padding above the studio's panels, in px (`pt-5`). */
const paddingPx = 20;
/** Where a panel stays when the page is scrolled, in px (`top-20`). */
const stickyTopPx = 80;

/**
 * Keeps `--panel-top` of an element up to date: the height of what is above its panels, such as the banner of an overdue
 * payment. Panels that are no higher than the rest of the window always show their buttons.
 */
function usePanelTop(container: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = container.current;
    const root = document.getElementById('root');
    if (element === null || root === null) return;
    const measure = () => {
      const top = element.getBoundingClientRect().top + window.scrollY + paddingPx;
      element.style.setProperty('--panel-top', `${Math.max(top, stickyTopPx)}px`);
    };
    measure();
    // What appears above moves everything below it, so the height of the page changes.
    const observer = new ResizeObserver(measure);
    observer.observe(root);
    return () => observer.disconnect();
  }, [container]);
}
