import clsx from 'clsx';
import { ArrowLeft } from 'lucide-react';
import type { ReactNode, Ref } from 'react';
import { Link } from 'react-router-dom';
import { pages } from '#contract';
import { buttonClass } from './button.tsx';

interface PageHeaderProps {
  /** The page that this one belongs to. */
  back: { to: string; name: string };
  /** Gets the focus when the page is opened (usePage). */
  heading: Ref<HTMLHeadingElement>;
  title: ReactNode;
  /** Beside the title. */
  action?: ReactNode;
}

/** The beginning of a page for a signed-in seller: the way back and its title. */
export function PageHeader({ back, heading, title, action }: PageHeaderProps) {
  return (
    <>
      <Link
        to={back.to}
        // From tablets on, the top bar leads there.
        className={buttonClass('quiet', clsx('mb-3 -ml-4', back.to === pages.dashboard && 'sm:hidden'))}
      >
        <ArrowLeft aria-hidden className="size-4" /> {back.name}
      </Link>
      <div className={clsx('mb-5', action && 'flex flex-wrap items-center justify-between gap-3')}>
        <h1 ref={heading} tabIndex={-1} className="text-2xl font-bold tracking-tight break-words sm:text-3xl">
          {title}
        </h1>
        {action}
      </div>
    </>
  );
}
