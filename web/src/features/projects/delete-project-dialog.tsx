import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { ProjectDeletion, ProjectView } from '#contract';
import { messageOf } from '#web/lib/api.ts';
import { queryKeys } from '#web/lib/query-keys.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Name } from '#web/ui/name.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { deleteProject } from './api.ts';

interface DeleteProjectDialogProps {
  project: ProjectView;
  onClose: () => void;
  onDeleted: () => void;
}

/** Asks what becomes of the images of a project, and deletes it. */
export function DeleteProjectDialog({ project, onClose, onDeleted }: DeleteProjectDialogProps) {
  const client = useQueryClient();
  const name = useId();
  const [images, setImages] = useState<ProjectDeletion>('move');
  const { mutate, isPending, error } = useMutation({
    networkMode: 'always',
    mutationFn: () => deleteProject(project.id, images),
    onSuccess: () => {
      client.setQueryData<ProjectView[]>(queryKeys.projects, (projects) =>
        projects?.filter(({ id }) => id !== project.id),
      );
      // Views of its images changed, or are gone.
      void client.invalidateQueries();
      onDeleted();
    },
  });
  const choices: readonly (readonly [ProjectDeletion, string])[] = [
    ['move', 'Keep its images in the default project'],
    ['delete', 'Delete its images as well. This cannot be undone.'],
  ];
  return (
    <Dialog
      open
      onClose={onClose}
      title={
        <>
          Delete “<Name>{project.name}</Name>”?
        </>
      }
    >
      <fieldset className="grid gap-1">
        <legend className="sr-only">Its images</legend>
        {choices.map(([value, label]) => (
          <label key={value} className="flex min-h-11 items-center gap-3">
            <input
              type="radio"
              name={name}
              checked={images === value}
              onChange={() => setImages(value)}
              className="size-5 shrink-0 accent-accent"
            />
            {label}
          </label>
        ))}
      </fieldset>
      {error && (
        <div className="mt-4">
          <Notice tone="danger">{messageOf(error)}</Notice>
        </div>
      )}
      <div className="mt-5 flex flex-wrap justify-end gap-3">
        <Button variant="secondary" onClick={onClose}>
          Cancel
        </Button>
        <Button onClick={() => mutate()} disabled={isPending}>
          {isPending ? 'Deleting...' : 'Delete project'}
        </Button>
      </div>
    </Dialog>
  );
}
