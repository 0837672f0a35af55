import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Pencil, Plus, Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { exportFormatNames, isolateName, limits, type OwnPreset, type OwnPresetId } from '#contract';
import { ApiError, messageOf } from '#web/lib/api.ts';
import { deleteOwnPreset } from '#web/lib/own-presets.ts';
import { queryKeys } from '#web/lib/query-keys.ts';
import { Button } from '../button.tsx';
import { ConfirmDialog, Dialog } from '../dialog.tsx';
import { Name } from '../name.tsx';
import { Notice } from '../notice.tsx';
import { OwnPresetForm } from './own-preset-form.tsx';
import type { ChosenPresets } from './use-chosen-presets.ts';

interface OwnPresetsProps {
  choice: ChosenPresets;
  /** Those with what is searched for. */
  shown: readonly OwnPreset[];
  chosen: readonly OwnPresetId[];
  /** Called with the chosen ones in the order of their names. */
  onChange: (chosen: OwnPresetId[]) => void;
}

/** The seller's own presets: tick boxes, each with its settings and with buttons to change and to delete it, and a new one. */
export function OwnPresets({ choice: { own, error, gone }, shown, chosen, onChange }: OwnPresetsProps) {
  /** The preset that is being changed, 'new' for one that is made, null for none. */
  const [edited, setEdited] = useState<OwnPreset | 'new' | null>(null);
  const [deleted, setDeleted] = useState<OwnPreset | null>(null);
  const newButton = useRef<HTMLButtonElement>(null);
  const toggle = (id: OwnPresetId) =>
    onChange(own.map((each) => each.id).filter((each) => (each === id) !== chosen.includes(each)));
  const isFull = own.length >= limits.ownPresets;
  return (
    <fieldset className="min-w-0">
      <legend className="text-sm font-semibold">Your presets</legend>
      {error && <Notice tone="danger">{error}</Notice>}
      <p role="status" className="text-sm text-ink-soft">
        {gone.length > 0 && `Deleted in another window: ${gone.map(isolateName).join(', ')}.`}
      </p>
      <ul>
        {shown.map((preset) => (
          <li key={preset.id} className="flex items-center">
            <label className="flex min-h-11 min-w-0 grow cursor-pointer items-center gap-3 py-1">
              <input
                type="checkbox"
                className="size-5 shrink-0 accent-accent"
                checked={chosen.includes(preset.id)}
                onChange={() => toggle(preset.id)}
              />
              <span className="min-w-0">
                <Name className="block wrap-anywhere">{preset.name}</Name>
                <span className="block text-sm text-ink-soft">
                  {preset.width} × {preset.height} px, {exportFormatNames[preset.format].name}
                </span>
              </span>
            </label>
            {[
              { label: `Edit ${isolateName(preset.name)}`, Icon: Pencil, act: () => setEdited(preset) },
              { label: `Delete ${isolateName(preset.name)}`, Icon: Trash2, act: () => setDeleted(preset) },
            ].map(({ label, Icon, act }) => (
              <button
                key={label}
                type="button"
                aria-label={label}
                title={label}
                onClick={act}
                className="grid size-11 shrink-0 place-items-center rounded-field text-ink-soft hover:bg-sunken hover:text-ink"
              >
                <Icon aria-hidden className="size-4.5" />
              </button>
            ))}
          </li>
        ))}
      </ul>
      <Button
        ref={newButton}
        variant="secondary"
        className="mt-1 w-full"
        disabled={isFull}
        onClick={() => setEdited('new')}
      >
        <Plus aria-hidden className="size-4.5" />
        New preset
      </Button>
      {isFull && (
        <p className="mt-1.5 text-sm text-ink-soft">
          You have {limits.ownPresets}, which is the most. Delete one to make another.
        </p>
      )}
      {edited !== null && (
        <Dialog open onClose={() => setEdited(null)} title={edited === 'new' ? 'New preset' : 'Edit preset'}>
          <OwnPresetForm
            preset={edited === 'new' ? null : edited}
            onSaved={({ id }) => edited === 'new' && onChange([...chosen, id])}
            onClose={() => setEdited(null)}
          />
        </Dialog>
      )}
      {deleted && (
        <DeletePreset
          preset={deleted}
          onDeleted={() => onChange(chosen.filter((id) => id !== deleted.id))}
          onClose={() => {
            setDeleted(null);
            // The button that opened it may be gone with its preset.
            newButton.current?.focus();
          }}
        />
      )}
    </fieldset>
  );
}

interface DeletePresetProps {
  preset: OwnPreset;
  onDeleted: () => void;
  onClose: () => void;
}

function DeletePreset({ preset: { id, name }, onDeleted, onClose }: DeletePresetProps) {
  const client = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () =>
      deleteOwnPreset(id).catch((failure: unknown) => {
        // Another window was faster.
        if (!(failure instanceof ApiError && failure.code === 'PRESET_GONE')) throw failure;
      }),
    onSuccess: () => {
      client.setQueryData<OwnPreset[]>(queryKeys.ownPresets, (own) => own?.filter((each) => each.id !== id));
      // They go on without it.
      void client.invalidateQueries({ queryKey: queryKeys.looks });
      onDeleted();
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={
        <>
          Delete <Name>{name}</Name>?
        </>
      }
      description="Files that you downloaded stay as they are. Looks that use it go on without it."
      label="Delete preset"
      busyLabel="Deleting..."
      busy={isPending}
      error={error && messageOf(error)}
      onConfirm={() => mutate()}
      onClose={onClose}
    />
  );
}
