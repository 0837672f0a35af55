import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Copy, Palette, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { imageStyles, isolateName, type LookView, splitTemplate } from '#contract';
import { messageOf } from '#web/lib/api.ts';
import { queryKeys } from '#web/lib/query-keys.ts';
import type { StudioOptions } from '#web/lib/studio-options.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Name } from '#web/ui/name.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { toastError } from '#web/ui/toast-error.ts';
import { changeLook, createLook, deleteLook, duplicateLook, useLooks } from './api.ts';
import { LookForm } from './look-form.tsx';

interface LooksDialogProps {
  onClose: () => void;
  /** What the studio's form contains. */
  form: { prompt: string; options: StudioOptions };
}

/** The seller's looks: save the form as one, edit, duplicate, delete. They are used where the scenes are. */
export function LooksDialog({ onClose, form }: LooksDialogProps) {
  /** The look that is being edited, 'new' for one of the form, null for the list. */
  const [edited, setEdited] = useState<LookView | 'new' | null>(null);
  const { data: looks, error } = useLooks();
  if (edited === null) {
    return (
      <Dialog
        open
        onClose={onClose}
        title="Looks"
        description="A look keeps words and options. Choose one among the scenes."
      >
        {error && <Notice tone="danger">{messageOf(error)}</Notice>}
        {!looks && !error && <Spinner />}
        {looks?.length === 0 && (
          <p className="text-ink-soft">
            There are no looks yet. Save one here, or from the “More” menu of a finished image.
          </p>
        )}
        <ul className="grid grid-cols-[minmax(0,1fr)] gap-2">
          {looks?.map((look) => (
            <LookItem key={look.id} look={look} onEdit={() => setEdited(look)} />
          ))}
        </ul>
        <div className="mt-5 flex justify-end">
          <Button variant="secondary" onClick={() => setEdited('new')} disabled={form.prompt.trim() === ''}>
            Save the form as a look
          </Button>
        </div>
      </Dialog>
    );
  }
  const close = () => setEdited(null);
  if (edited === 'new') {
    const { template = null, scene } = splitTemplate(form.prompt);
    const { useSeed: _, seedValue: __, projectId: ___, ...options } = form.options;
    return (
      <Dialog open onClose={close} title="Save as look">
        <LookForm
          initial={{ ...options, name: '', scene, template, exportPresets: [] }}
          save={(look) => createLook({ ...options, ...look })}
          onClose={close}
        />
      </Dialog>
    );
  }
  const { id, pictureUrl: _, createdAt: __, updatedAt: ___, ...fields } = edited;
  return (
    <Dialog open onClose={close} title="Edit look">
      <LookForm initial={fields} save={(look) => changeLook(id, { ...fields, ...look })} onClose={close} />
    </Dialog>
  );
}

interface LookItemProps {
  look: LookView;
  onEdit: () => void;
}

function LookItem({ look, onEdit }: LookItemProps) {
  const client = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationFn: async (change: (id: string) => Promise<unknown>) => change(look.id),
    onError: (error) => toastError(messageOf(error)),
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.looks }),
  });
  const { name, pictureUrl, style, width, height, numImages } = look;
  const called = isolateName(name);
  const actions = [
    { label: `Edit ${called}`, Icon: Pencil, act: onEdit },
    { label: `Duplicate ${called}`, Icon: Copy, act: () => mutate(duplicateLook) },
    { label: `Delete ${called}`, Icon: Trash2, act: () => mutate(deleteLook) },
  ];
  return (
    <li className="flex items-center rounded-field border border-line">
      <div className="flex min-w-0 grow items-center gap-3 p-2">
        <span className="grid size-14 shrink-0 place-items-center overflow-hidden rounded-[0.5rem] bg-sunken text-ink-soft">
          {pictureUrl ? (
            <img src={pictureUrl} alt="" className="size-full object-cover" />
          ) : (
            <Palette aria-hidden className="size-5" />
          )}
        </span>
        <span className="min-w-0 text-sm">
          <span className="block font-semibold wrap-anywhere">
            <Name>{name}</Name>
          </span>
          <span className="block text-ink-soft wrap-anywhere">
            {imageStyles[style].name}, {width} × {height}
            {numImages > 1 && `, ${numImages} images`}
          </span>
        </span>
      </div>
      {actions.map(({ label, Icon, act }) => (
        <button
          key={label}
          type="button"
          aria-label={label}
          title={label}
          onClick={act}
          disabled={isPending}
          className="grid size-11 shrink-0 place-items-center rounded-field text-ink-soft hover:bg-sunken hover:text-ink disabled:opacity-60"
        >
          <Icon aria-hidden className="size-4.5" />
        </button>
      ))}
    </li>
  );
}
