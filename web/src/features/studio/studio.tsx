import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useRef } from 'react';
import { useDropzone } from 'react-dropzone';
import { useController, useForm } from 'react-hook-form';
import { toast } from 'sonner';
import { type GenerationView, hasEnded, limits, sceneTemplates, withTemplate } from '#contract';
import { ApiError, messageOf } from '#web/lib/api.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { fetchPhotos } from './api/fetch-photos.ts';
import { PhotoSlots } from './photo-slots.tsx';
import { pickerAccept } from './photos.ts';
import { SceneField } from './scene-field.tsx';
import { Stage } from './stage.tsx';
import { contentOf, emptyForm, fieldMessage, type StudioForm, studioSchema } from './studio-form.ts';
import { useSubmission } from './submission.tsx';
import { useDraft } from './use-draft.ts';
import { usePastedFiles } from './use-pasted-files.ts';
import { usePhotos } from './use-photos.ts';

interface StudioProps {
  /** The generation to show; null for none, undefined while it is on its way. */
  view: GenerationView | null | undefined;
  /** Shows a generation, or none. */
  onShow: (id: string | null) => void;
  /** Whose draft is kept; null where none is. */
  draftOf: string | null;
  /** What is left of the plan; stands above the Generate button. */
  plan: ReactNode;
  /**
   * What the plan says against another image, in place of the Generate button; null where nothing does.
   * @param refused the code with which the last request was refused
   */
  stopOf: (refused: string | null) => ReactNode;
  /** Stands below the main area. */
  badge: ReactNode;
  /** Earlier generations, beside or below the main area; shows one of them by what it is given. */
  history: (onShow: (id: string) => void) => ReactNode;
}

/** The workspace: photos and scene on the left, what becomes of them in the main area. */
export function Studio({ view, onShow, draftOf, plan, stopOf, badge, history }: StudioProps) {
  const stageHeading = useRef<HTMLHeadingElement>(null);
  const submitted = useRef<{ id: string; content: string }>(null);

  const form = useForm<StudioForm>({ resolver: zodResolver(studioSchema), defaultValues: emptyForm });
  const { errors } = form.formState;
  // Registered before the text fields: the first field with an error gets the focus.
  const photosField = useController({ control: form.control, name: 'photos' }).field;
  const photos = photosField.value;
  const prompt = form.watch('prompt');
  const { add, remove, replace } = usePhotos(form);
  useDraft(form, draftOf, replace);
  usePastedFiles(add);
  const drop = useDropzone({ onDrop: (files) => add(files), noClick: true, noKeyboard: true });

  const toStage = () => {
    stageHeading.current?.focus({ preventScroll: true });
    // On a phone the form stands above the main area; where that is in sight already nothing moves.
    const top = stageHeading.current?.getBoundingClientRect().top ?? 0;
    if (top > 56 && top < window.innerHeight / 3) return;
    stageHeading.current?.scrollIntoView({ block: 'start', behavior: 'smooth' });
  };
  const submission = useSubmission({
    accepted: (accepted, sentForm) => {
      submitted.current = { id: accepted.id, content: contentOf(sentForm) };
      onShow(accepted.id);
    },
    // It stands in the form.
    refused: () => {},
  });
  const { sent, error } = submission;
  const busy = sent !== null || (!!view && !hasEnded(view.state));

  const generate = form.handleSubmit((values) => {
    if (busy || stopOf(null)) return;
    submission.submit(values);
    toStage();
  });

  const retry = useMutation({
    mutationFn: async (failed: GenerationView) => {
      // The form may hold something else by now, or nothing after a reload: then its own photos are fetched.
      const unchanged =
        submitted.current?.id === failed.id && submitted.current.content === contentOf(form.getValues());
      if (unchanged) return;
      const files = await fetchPhotos(failed);
      replace(files);
      form.setValue('prompt', failed.prompt);
      form.setValue('productName', failed.productName, { shouldDirty: true });
    },
    onSuccess: () => generate(),
    onError: (failure) => toast.error(messageOf(failure)),
  });

  const chooseTemplate = (template: (typeof sceneTemplates)[number]) => {
    form.setValue('prompt', withTemplate(template, prompt), {
      shouldDirty: true,
      shouldValidate: form.formState.isSubmitted,
    });
    const field = document.querySelector<HTMLTextAreaElement>('#scene');
    field?.focus();
    requestAnimationFrame(() => field?.setSelectionRange(field.value.length, field.value.length));
  };
  const barrier = stopOf(error instanceof ApiError ? error.code : null);

  return (
    <div {...drop.getRootProps({ role: undefined, tabIndex: undefined })}>
      <input
        {...drop.getInputProps({ accept: pickerAccept, 'aria-label': 'Product photos' })}
        tabIndex={-1}
      />
      <div className="mx-auto grid w-full max-w-[100rem] items-start gap-5 px-4 pt-5 pb-36 sm:px-6 lg:grid-cols-[22rem_minmax(0,1fr)] lg:grid-rows-[auto_1fr] lg:pb-10 xl:grid-cols-[22rem_minmax(0,1fr)_17rem]">
        <form
          noValidate
          aria-label="New product image"
          onSubmit={generate}
          onChange={() => error && submission.clearError()}
          className="grid gap-5 rounded-card border border-line bg-surface p-4 shadow-card sm:p-6 lg:sticky lg:top-20 lg:row-span-2 lg:max-h-[calc(100dvh-6rem)] lg:overflow-y-auto"
        >
          <PhotoSlots
            photos={photos}
            onAdd={drop.open}
            onRemove={remove}
            error={fieldMessage(errors.photos)}
            dropping={drop.isDragActive}
            addRef={photosField.ref}
          />
          <SceneField
            input={form.register('prompt')}
            length={prompt.length}
            error={fieldMessage(errors.prompt)}
            template={sceneTemplates.find((name) => prompt.startsWith(`${name}:`))}
            onTemplate={chooseTemplate}
          />
          <Field
            label="Product name (optional)"
            autoComplete="off"
            maxLength={limits.productNameCharacters}
            hint="Names the downloaded file."
            error={fieldMessage(errors.productName)}
            {...form.register('productName')}
          />
          {error && !barrier && <Notice tone="danger">{messageOf(error)}</Notice>}
          <div className="fixed inset-x-0 bottom-0 z-20 grid gap-3 border-t border-line bg-surface px-4 pt-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] lg:sticky lg:inset-x-auto lg:-bottom-6 lg:-mx-6 lg:-mt-2 lg:-mb-6 lg:rounded-b-card lg:px-6 lg:pb-6">
            {barrier ?? (
              <>
                {plan}
                <Button type="submit" disabled={busy} className="w-full">
                  {busy && <Spinner />}
                  {busy ? 'Generating...' : 'Generate Image'}
                </Button>
              </>
            )}
          </div>
        </form>
        <Stage
          headingRef={stageHeading}
          photo={sent === null ? photos[0] : submission.photo}
          sent={sent}
          view={view}
          dropping={drop.isDragActive}
          cancelling={submission.cancelling}
          retrying={retry.isPending}
          badge={badge}
          onAdd={drop.open}
          onGenerate={barrier ? null : generate}
          onStop={submission.stop}
          onCancel={(useImage) => view && submission.cancel({ id: view.id, useImage })}
          onRetry={barrier ? null : () => view && retry.mutate(view)}
          onClear={() => onShow(null)}
        />
        {history((id) => {
          onShow(id);
          toStage();
        })}
      </div>
    </div>
  );
}
