import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ArrowDown, ArrowUp, ArrowUpToLine, Pencil, X } from 'lucide-react';
import type { GenerationView } from '#contract';
import { messageOf } from '#web/lib/api.ts';
import { refreshGeneration } from '#web/lib/generations.ts';
import { cacheGeneration } from '#web/lib/live/cache.ts';
import { toastError } from '#web/ui/toast-error.ts';
import { moveGeneration, useCancel } from './api.ts';

interface WaitingActionsProps {
  view: GenerationView;
  /** The seller's images that wait, the next one first. */
  line: readonly GenerationView[];
  /** What the image is called. */
  name: string;
  onEdit: () => void;
}

/** What a seller can do with an image that waits: change its place in the own line, edit its request, cancel it. */
export function WaitingActions({ view, line, name, onEdit }: WaitingActionsProps) {
  const client = useQueryClient();
  const cancel = useCancel();
  const move = useMutation({
    networkMode: 'always',
    mutationFn: moveGeneration,
    onSuccess: (moved) => cacheGeneration(client, moved),
    onError: async (error, { id }) => {
      await refreshGeneration(client, id).catch(() => {});
      toastError(messageOf(error));
    },
  });
  const place = line.findIndex(({ id }) => id === view.id);
  const before = line[place - 1];
  const after = line[place + 1];
  const busy = move.isPending || cancel.isPending;
  const actions = [
    ...(before
      ? [
          {
            label: 'Move to the front',
            Icon: ArrowUpToLine,
            act: () => move.mutate({ id: view.id, before: null }),
          },
          { label: 'Move up', Icon: ArrowUp, act: () => move.mutate({ id: view.id, before: before.id }) },
        ]
      : []),
    // The one after it is moved before it.
    ...(after
      ? [{ label: 'Move down', Icon: ArrowDown, act: () => move.mutate({ id: after.id, before: view.id }) }]
      : []),
    ...(view.change === null && view.remakeOf === null ? [{ label: 'Edit', Icon: Pencil, act: onEdit }] : []),
    { label: 'Cancel', Icon: X, act: () => cancel.mutate({ id: view.id, useImage: false }) },
  ];
  return (
    <div className="flex">
      {actions.map(({ label, Icon, act }) => (
        <button
          key={label}
          type="button"
          aria-label={`${label}: ${name}`}
          title={label}
          disabled={busy}
          onClick={act}
          className="grid size-11 place-items-center rounded-full text-ink-soft hover:bg-sunken hover:text-ink disabled:opacity-60"
        >
          <Icon aria-hidden className="size-4" />
        </button>
      ))}
    </div>
  );
}
