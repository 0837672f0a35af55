import { useMutation, useQueryClient } from '@tanstack/react-query';
import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import type { GenerationSet, GenerationView } from '#contract';
import { ApiError, isOutcomeUnknown } from '#web/lib/api.ts';
import { type SentForm, saveSentForm } from '#web/lib/draft.ts';
import { cacheGeneration } from '#web/lib/live/cache.ts';
import { useMe } from '#web/lib/session.ts';
import { submitGeneration, useCancel } from './api.ts';
import { IdempotencyKey } from './idempotency-key.ts';
import { createPhoto, type Photo, releasePhoto } from './photos.ts';
import { fingerprintOf, type StudioForm } from './studio-form.ts';

interface Submission extends Omit<ReturnType<typeof useSubmissionState>, 'discard'> {
  /** Replaces the provider's listener until the returned function is called. */
  listen: (listener: SubmissionListener) => () => void;
}

const SubmissionContext = createContext<Submission | null>(null);

interface SubmissionProviderProps {
  /** Called while the studio is not open. */
  listener: SubmissionListener;
  children: ReactNode;
}

/** Keeps the submission while the page changes. */
export function SubmissionProvider({ listener, children }: SubmissionProviderProps) {
  const studioListener = useRef<SubmissionListener>(null);
  const { discard, ...submission } = useSubmissionState({
    onAccepted: (view, form) => (studioListener.current ?? listener).onAccepted(view, form),
    onFailed: (error) => (studioListener.current ?? listener).onFailed(error),
  });

  // Only reads the cache: pages that need the account fetch it.
  const sellerId = useMe({ enabled: false }).data?.user.id;
  const discardSubmission = useEffectEvent(discard);
  useEffect(() => {
    if (sellerId !== undefined) return () => discardSubmission();
  }, [sellerId]);

  const listen = (next: SubmissionListener) => {
    studioListener.current = next;
    return () => {
      if (studioListener.current === next) studioListener.current = null;
    };
  };
  return <SubmissionContext value={{ ...submission, listen }}>{children}</SubmissionContext>;
}

/** The fraction of a form that was sent, 0 to 1; null while nothing is being sent. */
export function useUploadProgress(): number | null {
  return useContext(SubmissionContext)?.uploadProgress ?? null;
}

/**
 * The submission, for the studio.
 * @param listener called instead of the provider's while the studio is open
 */
export function useSubmission(listener: SubmissionListener): Omit<Submission, 'listen'> {
  const submission = useContext(SubmissionContext);
  if (submission === null) throw new Error('The studio needs a SubmissionProvider above it.');
  const onAccepted = useEffectEvent(listener.onAccepted);
  const onFailed = useEffectEvent(listener.onFailed);
  const listen = useEffectEvent(submission.listen);
  // A layout effect, because its cleanup runs in the commit that removes the studio: no event reaches it after that.
  useLayoutEffect(
    () =>
      listen({
        onAccepted: (view, form) => onAccepted(view, form),
        onFailed: (error) => onFailed(error),
      }),
    [],
  );
  return submission;
}

/**
 * Bytes that must remain to be sent, as far as the browser has reported, for an upload to be aborted. With fewer, the
 * server may have all of them by now, because progress is reported with a delay: it would make the image.
 */
const abortableBytes = 2 * 1024 * 1024;

/** Automatic retries after no reply or `UNAVAILABLE`; all use the same idempotency key. */
const maxRetries = 2;

interface SubmissionListener {
  /** Called with the first generation of the new set and the form it was submitted with. */
  onAccepted: (view: GenerationView, form: StudioForm) => void;
  /** Called when the submission failed; not when the seller cancelled it. */
  onFailed: (error: Error) => void;
}

/**
 * Submits the form, one submission at a time, and cancels generations. Used above the pages, so an upload continues
 * with its idempotency key when the page changes.
 */
function useSubmissionState({ onAccepted, onFailed }: SubmissionListener) {
  const client = useQueryClient();
  const [idempotencyKey] = useState(() => new IdempotencyKey());
  const upload = useRef<AbortController>(null);
  const uploadBytes = useRef(0);
  const cancelOnceAccepted = useRef(false);
  /** Fraction of the request that was sent, 0 to 1; null while nothing is being sent. */
  const [uploadProgress, setUploadProgress] = useState<number | null>(null);
  const [cancelRequested, setCancelRequested] = useState(false);
  const [photo, setPhoto] = useReleasedPhoto();
  const cancel = useCancel();

  const { mutate, error, reset } = useMutation({
    mutationFn: async (attempt: Attempt) => {
      setUploadProgress(0);
      await attempt.recorded;
      return sendForm(attempt, setUploadProgress);
    },
    retry: (count, failure) => count < maxRetries && isTemporary(failure) && !upload.current?.signal.aborted,
    retryDelay: (count) => 1_000 * 2 ** count,
    onSuccess: ({ generations }, { form }) => {
      idempotencyKey.clear();
      void saveSentForm(client, null);
      for (const view of generations) cacheGeneration(client, view);
      onAccepted(generations[0]!, form);
      if (!cancelOnceAccepted.current) return;
      for (const { id } of generations) cancel.mutate({ id, useImage: false });
    },
    onError: (failure) => {
      if (!isOutcomeUnknown(failure)) {
        idempotencyKey.clear();
        void saveSentForm(client, null);
      }
      if (!isAborted(failure)) onFailed(failure);
    },
    onSettled: () => {
      upload.current = null;
      cancelOnceAccepted.current = false;
      setUploadProgress(null);
      setCancelRequested(false);
      setPhoto(undefined);
    },
  });

  return {
    uploadProgress,
    /** The first photo of the form that is being sent. */
    photo,
    /** Why the last submission failed. */
    error: isAborted(error) ? null : error,
    clearError: reset,
    submit: (form: StudioForm) => {
      // A ref, because state changes only with the next render: this stops the second half of a double click.
      if (upload.current !== null) return;
      upload.current = new AbortController();
      uploadBytes.current = form.photos.reduce((sum, { file }) => sum + file.size, 0);
      const [first] = form.photos;
      // A preview of its own: the form's is released when the studio is closed.
      if (first) setPhoto(createPhoto(first.file));
      const content = fingerprintOf(form);
      const key = idempotencyKey.for(content);
      const recorded = saveSentForm(client, { content, key });
      mutate({ form, key, recorded, signal: upload.current.signal });
    },
    cancelUpload: () => {
      const remainingBytes = (1 - (uploadProgress ?? 1)) * uploadBytes.current;
      if (remainingBytes > abortableBytes) return upload.current?.abort();
      // The server may have everything, and accept it even if the request is aborted: cancel the generation instead.
      cancelOnceAccepted.current = true;
      setCancelRequested(true);
    },
    cancel: cancel.mutate,
    cancelling: cancelRequested || cancel.isPending,
    /** Continues with the idempotency key of a form that was sent before a crash and not answered. */
    restoreSentForm: (sent: SentForm) => idempotencyKey.restore(sent),
    /** Aborts the upload and forgets it: it belongs to a seller who is no longer signed in. */
    discard: () => {
      upload.current?.abort();
      idempotencyKey.clear();
      reset();
    },
  };
}

/** A photo whose preview is released when it is replaced. */
function useReleasedPhoto() {
  const [photo, setPhoto] = useState<Photo>();
  useEffect(() => () => void (photo && releasePhoto(photo)), [photo]);
  return [photo, setPhoto] as const;
}

interface Attempt {
  form: StudioForm;
  /** The idempotency key. */
  key: string;
  /** Resolves when the form may be sent. */
  recorded: Promise<void>;
  signal: AbortSignal;
}

function sendForm(
  { form, key, signal }: Attempt,
  onProgress: (fraction: number) => void,
): Promise<GenerationSet> {
  return submitGeneration({
    photos: form.photos.map(({ file }) => file),
    prompt: form.prompt,
    productName: form.productName?.trim() ?? '',
    photosShow: form.photosShow ?? 'one-product',
    options: form.options,
    idempotencyKey: key,
    onProgress,
    signal,
  });
}

function isTemporary(failure: Error): boolean {
  return failure instanceof ApiError && ['NETWORK', 'UNAVAILABLE'].includes(failure.code);
}

function isAborted(error: Error | null): boolean {
  return error instanceof ApiError && error.code === 'ABORTED';
}
