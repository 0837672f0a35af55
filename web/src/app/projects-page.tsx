import { Link } from 'react-router-dom';
import { pages } from '#contract';
import { Projects } from '#web/features/projects/projects.tsx';
import { usePage } from '#web/lib/page.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { PageHeader } from '#web/ui/page-header.tsx';

/** All projects of the seller. */
export function ProjectsPage() {
  const heading = usePage('Projects');
  return (
    <div className="mx-auto w-full max-w-6xl px-4 py-8 sm:px-6 sm:py-12">
      <PageHeader
        back={{ to: pages.dashboard, name: 'Studio' }}
        heading={heading}
        title="Projects"
        action={
          <Link to={pages.batches} className={buttonClass('secondary')}>
            Many products at once
          </Link>
        }
      />
      <Projects />
    </div>
  );
}
