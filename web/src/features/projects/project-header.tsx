import { Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { type ProjectView, pages } from '#contract';
import { Button } from '#web/ui/button.tsx';
import { DeleteProjectDialog } from './delete-project-dialog.tsx';
import { ProjectNameDialog } from './project-name-dialog.tsx';
import { imageCountText } from './project-text.ts';

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
