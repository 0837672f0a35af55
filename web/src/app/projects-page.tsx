import { ArrowLeft } from 'lucide-react';
import { Link } from 'react-router-dom';
import { pages } from '#contract';
import { Projects } from '#web/features/projects/projects.tsx';
import { usePage } from '#web/lib/page.ts';
import { buttonClass } from '#web/ui/button.tsx';

/** All projects of the seller. */
export function ProjectsPage() {
  const heading = usePage('Projects');
  return (
    <div className="mx-auto w-full max-w-6xl px-4 py-8 sm:px-6 sm:py-12">
      <Link to={pages.dashboard} className={buttonClass('quiet', 'mb-3 -ml-4')}>
        <ArrowLeft aria-hidden className="size-4" /> Studio
      </Link>
      <div className="mb-5 flex flex-wrap items-center justify-between gap-3">
        <h1
          ref={heading}
          tabIndex={-1}
          className="font-heading text-2xl font-bold tracking-tight sm:text-3xl"
        >
          Projects
        </h1>
        <Link to={pages.batches} className={buttonClass('secondary')}>
          Many products at once
        </Link>
      </div>
      <Projects />
    </div>
  );
}
