import { useNavigate, useParams } from 'react-router-dom';
import { isolateName, pages } from '#contract';
import { useProjects } from '#web/features/projects/api.ts';
import { ProjectHeader } from '#web/features/projects/project-header.tsx';
import { ProjectImages } from '#web/features/projects/project-images.tsx';
import { usePage } from '#web/lib/page.ts';
import type { ProjectLinkState } from '#web/lib/studio-options.ts';
import { ListError } from '#web/ui/list-status.tsx';
import { Name } from '#web/ui/name.tsx';
import { PageHeader } from '#web/ui/page-header.tsx';
import { PageSkeleton } from '#web/ui/skeleton.tsx';
import { NotFoundPage } from './not-found-page.tsx';

/** One project: its images, and what can be done with it. */
export function ProjectPage() {
  const { id = '' } = useParams();
  const navigate = useNavigate();
  const { data: projects, error, refetch } = useProjects();
  const project = projects?.find((each) => each.id === id);
  const heading = usePage(project ? isolateName(project.name) : 'Project');
  if (error) return <ListError error={error} onRetry={refetch} />;
  if (!projects) return <PageSkeleton />;
  if (!project) return <NotFoundPage />;
  return (
    <div className="mx-auto w-full max-w-6xl px-4 py-8 sm:px-6 sm:py-12">
      <PageHeader
        back={{ to: pages.projects, name: 'Projects' }}
        heading={heading}
        title={<Name>{project.name}</Name>}
      />
      <ProjectHeader
        project={project}
        onUseInStudio={() => {
          const state: ProjectLinkState = { projectId: project.isDefault ? null : project.id };
          void navigate(pages.dashboard, { state });
        }}
      />
      <ProjectImages key={project.id} project={project} projects={projects} />
    </div>
  );
}
