import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Pencil, Trash2 } from 'lucide-react';
import { useId, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { type ProjectDeletion, type ProjectView, pages } from '#contract';
import { messageOf } from '#web/lib/api.ts';
import { queryKeys } from '#web/lib/query-keys.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Name } from '#web/ui/name.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { deleteProject, imageCountText } from './api.ts';
import { ProjectNameDialog } from './project-name-dialog.tsx';

interface ProjectHeaderProps {
  project: ProjectView;
  /** Makes it the project of the studio, and opens the studio. */
  onUseInStudio: () => void;
}

/** What can be done with a project: add images in the studio, rename it, delete it. */
export function ProjectHeader({ project, onUseInStudio }: ProjectHeaderProps) {
  const navigate = useNavigate();
  const [open, setOpen] = useState<'rename' | 'delete' | null>(null);
  const close = () => setOpen(null);
  return (
    <div className="mb-6 flex flex-wrap items-center gap-3">
      <p className="mr-auto text-ink-soft">{imageCountText(project.images)}</p>
      <Button onClick={onUseInStudio}>Add images</Button>
      <Button variant="secondary" onClick={() => setOpen('rename')}>
        <Pencil aria-hidden className="size-4" />
        Rename
      </Button>
      {!project.isDefault && (
        <Button variant="secondary" onClick={() => setOpen('delete')}>
          <Trash2 aria-hidden className="size-4" />
          Delete
        </Button>
      )}
      {open === 'rename' && <ProjectNameDialog project={project} onClose={close} />}
      {open === 'delete' && (
        <DeleteProjectDialog
          project={project}
          onClose={close}
          onDeleted={() => navigate(pages.projects, { replace: true })}
        />
      )}
    </div>
  );
}

interface DeleteProjectDialogProps {
  project: ProjectView;
  onClose: () => void;
  onDeleted: () => void;
}

/** Asks what becomes of the images of a project, and deletes it. */
function DeleteProjectDialog({ project, onClose, onDeleted }: DeleteProjectDialogProps) {
  const client = useQueryClient();
  const name = useId();
  const [images, setImages] = useState<ProjectDeletion>('move');
  const { mutate, isPending, error } = useMutation({
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
    ['delete', 'Move its images to the trash'],
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
