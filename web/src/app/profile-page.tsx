import { ArrowLeft } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { Billing } from '#web/features/plan/billing.tsx';
import { CheckoutReturn } from '#web/features/plan/checkout-return.tsx';
import { Ledger } from '#web/features/plan/ledger.tsx';
import { UserInformation } from '#web/features/profile/user-information.tsx';
import { SecuritySection } from '#web/features/security/security-section.tsx';
import { SettingsSection } from '#web/features/settings/settings-section.tsx';
import { YourData } from '#web/features/your-data/your-data.tsx';
import { usePage } from '#web/lib/page.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { ProfileNav } from './profile-nav.tsx';
import { useSignedIn } from './protected.tsx';

/** Account settings: the account, the plan, its usage, settings, security and data. */
export function ProfilePage() {
  const heading = usePage('Profile');
  const me = useSignedIn();
  const content = useRef<HTMLDivElement>(null);
  const { hash } = useLocation();
  useEffect(() => {
    const target = hash === '' ? null : document.getElementById(hash.slice(1));
    target?.scrollIntoView();
    target?.querySelector('h2')?.focus({ preventScroll: true });
  }, [hash]);
  return (
    <div className="mx-auto w-full max-w-5xl px-4 py-8 sm:px-6 sm:py-12">
      <Link to="/dashboard" className={buttonClass('quiet', 'mb-3 -ml-4')}>
        <ArrowLeft aria-hidden className="size-4" /> Studio
      </Link>
      <h1 ref={heading} tabIndex={-1} className="mb-4 text-3xl font-bold lg:mb-6">
        Profile
      </h1>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-5 lg:grid-cols-[11rem_minmax(0,1fr)] lg:items-start lg:gap-8">
        <ProfileNav content={content} />
        <div ref={content} className="grid min-w-0 gap-5">
          <CheckoutReturn subscription={me.subscription} />
          <UserInformation user={me.user} />
          <Billing subscription={me.subscription} />
          <Ledger revision={me.subscription.revision} />
          <SettingsSection settings={me.settings} />
          <SecuritySection me={me} />
          <YourData me={me} />
        </div>
      </div>
    </div>
  );
}
