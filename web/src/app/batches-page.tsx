import { ArrowLeft } from 'lucide-react';
import { Link } from 'react-router-dom';
import { pages } from '#contract';
import { BatchList } from '#web/features/batches/batch-list.tsx';
import { usePage } from '#web/lib/page.ts';
import { buttonClass } from '#web/ui/button.tsx';

/** All batches of the seller. */
export function BatchesPage() {
  const heading = usePage('Batches');
  return (
    <div className="mx-auto w-full max-w-6xl px-4 py-8 sm:px-6 sm:py-12">
      <Link to={pages.dashboard} className={buttonClass('quiet', 'mb-3 -ml-4')}>
        <ArrowLeft aria-hidden className="size-4" /> Studio
      </Link>
      <h1
        ref={heading}
        tabIndex={-1}
        className="mb-5 font-heading text-2xl font-bold tracking-tight sm:text-3xl"
      >
        Batches
      </h1>
      <BatchList />
    </div>
  );
}
