import { FolderOpen, Plus } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { type ProjectView, pages } from '#contract';
import { useDates } from '#web/lib/dates.ts';
import { Button } from '#web/ui/button.tsx';
import { ListError } from '#web/ui/list-status.tsx';
import { Name } from '#web/ui/name.tsx';
import { SkeletonBlock } from '#web/ui/skeleton.tsx';
import { imageCountText, useProjects } from './api.ts';
import { ProjectNameDialog } from './project-name-dialog.tsx';

const gridClass = 'grid grid-cols-2 gap-x-4 gap-y-6 sm:grid-cols-3 lg:grid-cols-4';

/** The seller's projects as cards, and a button for a new one. */
export function Projects() {
  const { data: projects, error, refetch } = useProjects();
  const [creating, setCreating] = useState(false);
  return (
    <>
      <Button onClick={() => setCreating(true)} className="mb-6">
        <Plus aria-hidden className="size-4" />
        New project
      </Button>
      {creating && <ProjectNameDialog project={null} onClose={() => setCreating(false)} />}
      {error && <ListError error={error} onRetry={refetch} />}
      {!projects && !error && (
        <div role="status" className={gridClass}>
          <span className="sr-only">Loading…</span>
          <SkeletonBlock className="aspect-square" />
          <SkeletonBlock className="aspect-square" />
        </div>
      )}
      <ul className={gridClass}>
        {projects?.map((project) => (
          <ProjectCard key={project.id} project={project} />
        ))}
      </ul>
    </>
  );
}

function ProjectCard({ project: { id, name, images, coverUrl, updatedAt } }: { project: ProjectView }) {
  const dates = useDates();
  return (
    <li>
      <Link to={`${pages.projects}/${id}`} className="group block rounded-card">
        <span className="grid aspect-square place-items-center overflow-hidden rounded-card bg-sunken ring-1 ring-line group-hover:ring-line-strong forced-colors:outline">
          {coverUrl ? (
            <img src={coverUrl} alt="" loading="lazy" className="size-full object-cover" />
          ) : (
            <FolderOpen aria-hidden className="size-10 text-ink-soft" />
          )}
        </span>
        <Name className="mt-2 block truncate font-semibold">{name}</Name>
        <span className="block text-sm text-ink-soft">
          {imageCountText(images)} · <time dateTime={updatedAt}>{dates.shortDateTime(updatedAt)}</time>
        </span>
      </Link>
    </li>
  );
}
