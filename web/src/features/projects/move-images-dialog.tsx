import { useId, useState } from 'react';
import type { ProjectView } from '#contract';
import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogButtons } from '#web/ui/dialog.tsx';
import { nameOption } from '#web/ui/name.tsx';
import { Select } from '#web/ui/select.tsx';
import { imageCountText, useMoveImages } from './api.ts';

interface MoveImagesDialogProps {
  ids: readonly string[];
  /** Where they can be moved. */
  targets: readonly ProjectView[];
  onClose: () => void;
  onMoved: () => void;
}

/** Asks for a project, and moves images there. */
export function MoveImagesDialog({ ids, targets, onClose, onMoved }: MoveImagesDialogProps) {
  const id = useId();
  const [chosen, setChosen] = useState<string>();
  const target = targets.find((project) => project.id === chosen) ?? targets[0];
  const { mutate, isPending } = useMoveImages(ids, () => {
    onMoved();
    onClose();
  });
  return (
    <Dialog open onClose={onClose} title={`Move ${imageCountText(ids.length)}`}>
      {target ? (
        <>
          <label htmlFor={id} className="mb-1.5 block text-sm font-semibold">
            Move to
          </label>
          <Select
            id={id}
            value={target.id}
            options={targets.map((project) => nameOption(project.id, project.name))}
            onChange={setChosen}
          />
        </>
      ) : (
        <p>Create another project to move them there.</p>
      )}
      <DialogButtons>
        <Button variant="quiet" onClick={onClose}>
          Cancel
        </Button>
        <Button onClick={() => target && mutate(target)} disabled={!target || isPending}>
          Move
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
