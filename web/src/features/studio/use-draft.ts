import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { toast } from 'sonner';
import {
  type Draft,
  findCachedDraft,
  loadDraft,
  type SentForm,
  saveDraft,
  saveTextNow,
} from '#web/lib/draft.ts';
import { setFormSaver } from '#web/lib/leaving.ts';
import { mayKeepDraft } from '#web/lib/session.ts';
import type { StudioForm } from './studio-form.ts';

/** The longest time in which a change is not saved yet, in ms. */
const saveDelayMs = 250;

interface DraftOptions {
  form: UseFormReturn<StudioForm>;
  /** Whose draft; null saves and restores nothing. */
  sellerId: string | null;
  /** The form's content as a draft. */
  readForm: () => Draft;
  /** Puts a draft into the form, except where the seller has entered something already. */
  restoreForm: (draft: Draft) => void;
  /** Called with the form that was sent but not answered before a crash. */
  onSentForm: (sentForm: SentForm) => void;
  /** Called once the draft, if there is one, is in the form. */
  onRestored: () => void;
}

/**
 * Restores the draft when the studio opens, and saves it as the form changes.
 * @returns `saveNow`: saves a change that is not saved yet, and resolves when everything is
 */
export function useDraft({ form, sellerId, readForm, restoreForm, onSentForm, onRestored }: DraftOptions) {
  const client = useQueryClient();
  /** What was saved last: only changes are saved, so a window that only shows a draft does not bring it back. */
  const saved = useRef('');
  /** What the last write that ended has put into the browser's storage. */
  const written = useRef('');
  const lastWrite = useRef<Promise<unknown>>(Promise.resolve());
  const markSaved = () => {
    saved.current = written.current = contentOf(readForm());
  };
  /** The seller and the draft to save; null if it has this content. */
  const changedFrom = (content: string) => {
    const draft = readForm();
    if (sellerId === null || contentOf(draft) === content) return null;
    return mayKeepDraft(client, sellerId) ? { sellerId, draft } : null;
  };
  const saveNow = () => {
    const changed = changedFrom(saved.current);
    if (changed === null) return lastWrite.current;
    const content = contentOf(changed.draft);
    saved.current = content;
    lastWrite.current = saveDraft(client, changed.sellerId, changed.draft).then((photosSaved) => {
      written.current = content;
      if (!photosSaved) toast.info(noRoomText, { id: noRoomText });
    });
    return lastWrite.current;
  };

  const save = useEffectEvent(saveNow);
  const saveAtOnce = useEffectEvent((restored: boolean) => {
    // What is being written may not come to its end either.
    const changed = changedFrom(written.current);
    if (changed === null) return;
    if (restored) void saveNow();
    saveTextNow(changed.sellerId, changed.draft, restored);
  });
  const restore = useEffectEvent(async () => {
    markSaved();
    if (sellerId === null) return;
    const cached = findCachedDraft(client, sellerId);
    if (cached) {
      restoreForm(cached);
      return markSaved();
    }
    return loadDraft(sellerId);
  });
  const restoreLoaded = useEffectEvent(({ draft, sentForm }: Awaited<ReturnType<typeof loadDraft>>) => {
    const unchanged = contentOf(readForm()) === saved.current;
    if (draft) restoreForm(draft);
    if (unchanged) markSaved();
    if (sentForm) onSentForm(sentForm);
  });
  const afterRestore = useEffectEvent(onRestored);
  const { subscribe } = form;
  useEffect(() => {
    let closed = false;
    let loading = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const saveSoon = () => {
      // Before the draft is loaded, the form would replace it.
      if (loading || timer !== undefined) return;
      timer = setTimeout(() => {
        timer = undefined;
        void save();
      }, saveDelayMs);
    };
    const restored = restore().then((loaded) => {
      if (closed) return;
      if (loaded) restoreLoaded(loaded);
      loading = false;
      saveSoon();
      afterRestore();
    });
    const stopSavingOnLeave = setFormSaver(() => restored.then(() => save()));
    const unsubscribe = subscribe({ formState: { values: true }, callback: saveSoon });
    // Changes right before a reload are saved, too. A phone may end a page that is hidden without another event.
    const onPageHide = () => saveAtOnce(!loading);
    window.addEventListener('pagehide', onPageHide);
    window.addEventListener('visibilitychange', onPageHide);
    return () => {
      closed = true;
      clearTimeout(timer);
      unsubscribe();
      stopSavingOnLeave();
      window.removeEventListener('pagehide', onPageHide);
      window.removeEventListener('visibilitychange', onPageHide);
      if (!loading) void save();
    };
  }, [subscribe]);
  return { saveNow };
}

const noRoomText =
  "Your browser has no room left for your photos. They'll be gone if you reload this page or leave it.";

/** Differs for two drafts with different content. */
function contentOf({ prompt, productName, nameTyped, photosShow, photos }: Draft): string {
  return JSON.stringify([prompt, productName, nameTyped, photosShow, photos.map(({ id }) => id)]);
}
