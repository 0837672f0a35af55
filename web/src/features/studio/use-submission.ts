import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { GenerationView } from '#contract';
import { ApiError, isUncertain } from '#web/lib/api.ts';
import { mergeGeneration } from '#web/lib/generations/cache.ts';
import { submitGeneration } from './api/submit-generation.ts';
import { IdempotencyKey } from './idempotency-key.ts';
import { createPhoto, type Photo, releasePhoto } from './photos.ts';
import { contentOf, type StudioForm } from './studio-form.ts';
import { useCancel } from './use-cancel.ts';

/** Tries after the first when no answer came or the service was busy; they carry the same key. */
const retries = 2;

/** Who is told what becomes of a form that was sent. */
export interface SubmissionListener {
  /** Gets the new generation and the form that it was asked for with. */
  accepted: (view: GenerationView, form: StudioForm) => void;
  /** Gets why there is none; a stop by the seller is no refusal. */
  refused: (failure: Error) => void;
}

/**
 * Sends the form, at most one at a time, and cancels what came of it. Its place is above the pages: a form that is on
 * its way stays on its way, under its one key, whichever page is open.
 */
export function useSubmissionState({ accepted, refused }: SubmissionListener) {
  const client = useQueryClient();
  const [intent] = useState(() => new IdempotencyKey());
  const underWay = useRef<AbortController>(null);
  const unwanted = useRef(false);
  /** Part of the request that has been sent, 0 to 1; null when nothing is being sent. */
  const [sent, setSent] = useState<number | null>(null);
  const [stopping, setStopping] = useState(false);
  const [photo, setPhoto] = useState<Photo>();
  useEffect(() => () => void (photo && releasePhoto(photo)), [photo]);
  const cancel = useCancel();

  const { mutate, error, reset } = useMutation({
    mutationFn: ({ form, key, signal }: { form: StudioForm; key: string; signal: AbortSignal }) => {
      setSent(0);
      return submitGeneration({
        photos: form.photos.map(({ file }) => file),
        prompt: form.prompt,
        productName: form.productName?.trim() ?? '',
        idempotencyKey: key,
        onProgress: setSent,
        signal,
      });
    },
    retry: (count, failure) =>
      count < retries &&
      failure instanceof ApiError &&
      ['NETWORK', 'UNAVAILABLE'].includes(failure.code) &&
      !underWay.current?.signal.aborted,
    retryDelay: (count) => 1_000 * 2 ** count,
    // Tried again, not kept until a browser thinks that it is online.
    networkMode: 'always',
    onSuccess: (view, { form }) => {
      intent.settle();
      mergeGeneration(client, view);
      accepted(view, form);
      // Once everything was sent, stopping the request would not have told whether the server goes on with it.
      if (unwanted.current) cancel.mutate({ id: view.id, useImage: false });
    },
    onError: (failure) => {
      if (!isUncertain(failure)) intent.settle();
      if (!wasStopped(failure)) refused(failure);
    },
    onSettled: () => {
      underWay.current = null;
      unwanted.current = false;
      setSent(null);
      setStopping(false);
      setPhoto(undefined);
    },
  });

  return {
    sent,
    /** The first photo of what is being sent. */
    photo,
    /** Why the last one was refused. */
    error: wasStopped(error) ? null : error,
    clearError: reset,
    submit: (form: StudioForm) => {
      // Known at once, unlike state that waits for a render: the second half of a double click ends here.
      if (underWay.current !== null) return;
      underWay.current = new AbortController();
      const [first] = form.photos;
      // With a preview of its own: the form's is released when the studio is left.
      if (first) setPhoto(createPhoto(first.file));
      mutate({ form, key: intent.keyFor(contentOf(form)), signal: underWay.current.signal });
    },
    stop: () => {
      if (sent !== 1) return underWay.current?.abort();
      unwanted.current = true;
      setStopping(true);
    },
    cancel: cancel.mutate,
    cancelling: stopping || cancel.isPending,
    /** Stops what is being sent and forgets it: it was another seller's. */
    abandon: () => {
      underWay.current?.abort();
      intent.settle();
      reset();
    },
  };
}

function wasStopped(failure: Error | null): boolean {
  return failure instanceof ApiError && failure.code === 'ABORTED';
}
