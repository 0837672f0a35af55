import { ArrowLeft } from 'lucide-react';
import { Link } from 'react-router-dom';
import { UserCard } from '../features/account/user-card.tsx';
import { PlanCard } from '../features/plan/plan-card.tsx';
import { usePage } from '../lib/page.ts';
import { buttonClass } from '../ui/button.tsx';
import { useSignedIn } from './protected.tsx';

/** Account settings: who one is, and the plan. */
export function ProfilePage() {
  const heading = usePage('Profile');
  const { user, subscription } = useSignedIn();
  return (
    <div className="mx-auto w-full max-w-4xl px-4 py-8 sm:px-6 sm:py-12">
      <Link to="/dashboard" className={buttonClass('quiet', 'mb-3 -ml-4')}>
        <ArrowLeft aria-hidden className="size-4" /> Studio
      </Link>
      <h1 ref={heading} tabIndex={-1} className="mb-6 text-3xl font-bold">
        Profile
      </h1>
      <div className="grid items-start gap-5 md:grid-cols-2">
        <UserCard user={user} />
        <PlanCard subscription={subscription} />
      </div>
    </div>
  );
}
