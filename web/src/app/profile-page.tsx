import { ArrowLeft } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { Link, matchPath, Navigate, useLocation } from 'react-router-dom';
import { type Me, pages } from '#contract';
import { ApiKeys } from '#web/features/api-keys/api-keys.tsx';
import { Billing } from '#web/features/plan/billing.tsx';
import { CheckoutReturn } from '#web/features/plan/checkout-return.tsx';
import { Ledger } from '#web/features/plan/ledger.tsx';
import { UserInformation } from '#web/features/profile/user-information.tsx';
import { SecuritySections } from '#web/features/security/security-sections.tsx';
import { PreferenceSections, PrivacySection } from '#web/features/settings/settings-sections.tsx';
import { UsedImages } from '#web/features/usage/usage.tsx';
import { Webhooks } from '#web/features/webhooks/webhooks.tsx';
import { YourData } from '#web/features/your-data/your-data.tsx';
import { usePage } from '#web/lib/page.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { PageNav } from '#web/ui/page-nav.tsx';
import { movedTo, profilePages } from './profile-pages.ts';
import { useSignedIn } from './protected.tsx';

type ProfilePath = (typeof profilePages)[number]['path'];

/** What each sub-page shows. Each loads only its own data. */
const contents: Readonly<Record<ProfilePath, (me: Me) => ReactNode>> = {
  [pages.profile]: ({ user }) => <UserInformation user={user} />,
  [pages.plan]: ({ subscription }) => (
    <>
      <CheckoutReturn subscription={subscription} />
      <Billing subscription={subscription} />
    </>
  ),
  [pages.usage]: ({ subscription }) => (
    <Ledger subscription={subscription}>
      <UsedImages revision={subscription.revision} />
    </Ledger>
  ),
  [pages.preferences]: ({ settings }) => <PreferenceSections settings={settings} />,
  [pages.security]: (me) => (
    <SecuritySections me={me} privacySettings={<PrivacySection settings={me.settings} />} />
  ),
  [pages.apiKeys]: (me) => (
    <>
      <ApiKeys me={me} />
      <Webhooks />
    </>
  ),
  [pages.data]: (me) => <YourData me={me} />,
};

/** The account settings: one of their sub-pages, chosen by the path. */
export function ProfilePage() {
  const location = useLocation();
  const moved = movedTo(location);
  if (moved !== null) return <Navigate to={moved} replace />;
  const page = profilePages.find(({ path }) => matchPath(path, location.pathname));
  return <SubPage page={page ?? profilePages[0]} hash={location.hash} />;
}

function SubPage({ page: { path, name }, hash }: { page: (typeof profilePages)[number]; hash: string }) {
  const heading = usePage(path === pages.profile ? 'Account Settings' : `${name} · Account Settings`);
  const me = useSignedIn();
  useEffect(() => {
    const target = hash === '' ? null : document.getElementById(hash.slice(1));
    target?.scrollIntoView();
    target?.querySelector('h2')?.focus({ preventScroll: true });
  }, [hash]);
  return (
    <div className="mx-auto w-full max-w-5xl px-4 py-8 sm:px-6 sm:py-12">
      <Link to={pages.dashboard} className={buttonClass('quiet', 'mb-3 -ml-4 sm:hidden')}>
        <ArrowLeft aria-hidden className="size-4" /> Studio
      </Link>
      <p className="mb-3 text-2xl font-bold tracking-tight sm:text-3xl lg:mb-6">Account Settings</p>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-5 lg:grid-cols-[11rem_minmax(0,1fr)] lg:items-start lg:gap-8">
        <PageNav label="Account Settings" pages={profilePages} />
        <div className="grid min-w-0 gap-5">
          <h1
            ref={heading}
            tabIndex={-1}
            className="text-xl font-semibold lg:flex lg:min-h-11 lg:items-center"
          >
            {name}
          </h1>
          {contents[path](me)}
        </div>
      </div>
    </div>
  );
}
