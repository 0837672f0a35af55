import { ArrowLeft } from 'lucide-react';
import { Link, useParams } from 'react-router-dom';
import { pages } from '#contract';
import { OperatorConfirmation } from '#web/features/operator-confirmation/confirmation.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { PageNav } from '#web/ui/page-nav.tsx';
import { PageSkeleton } from '#web/ui/skeleton.tsx';
import { createPageCode, LazyPage, type PageCode } from './lazy-page.tsx';
import { NotFoundPage } from './not-found-page.tsx';
import { useSignedIn } from './protected.tsx';

interface OperatorPage {
  /** Below `/operator`, as `:page` or `:page/:id`. */
  path: string;
  /** In the menu; absent for a page that is reached from another one. */
  name?: string;
  code: PageCode;
}

/** The operator's pages in the order of their menu. Each is loaded when it is first opened. */
const operatorPages: readonly OperatorPage[] = [
  {
    path: '',
    name: 'Now',
    code: createPageCode(async () => (await import('#web/features/operator-now/now-page.tsx')).NowPage),
  },
  {
    path: 'generations',
    name: 'Generations',
    code: createPageCode(
      async () => (await import('#web/features/operator-generations/generations-page.tsx')).GenerationsPage,
    ),
  },
  {
    path: 'generations/:id',
    code: createPageCode(async () => (await import('./operator-generation-page.tsx')).OperatorGenerationPage),
  },
  {
    path: 'sellers',
    name: 'Sellers',
    code: createPageCode(
      async () => (await import('#web/features/operator-sellers/sellers-page.tsx')).SellersPage,
    ),
  },
  {
    path: 'sellers/:id',
    code: createPageCode(async () => (await import('./operator-seller-page.tsx')).OperatorSellerPage),
  },
  {
    path: 'queue',
    name: 'Queue',
    code: createPageCode(async () => (await import('#web/features/operator-queue/queue-page.tsx')).QueuePage),
  },
  {
    path: 'costs',
    name: 'Costs',
    code: createPageCode(async () => (await import('#web/features/operator-costs/costs-page.tsx')).CostsPage),
  },
  {
    path: 'outbox',
    name: 'Mails and webhooks',
    code: createPageCode(
      async () => (await import('#web/features/operator-outbox/outbox-page.tsx')).OutboxPage,
    ),
  },
  {
    path: 'banner',
    name: 'Banner and maintenance',
    code: createPageCode(
      async () => (await import('#web/features/operator-banner/banner-page.tsx')).BannerPage,
    ),
  },
  {
    path: 'log',
    name: 'Audit log',
    code: createPageCode(async () => (await import('#web/features/operator-log/action-list.tsx')).LogPage),
  },
];

const pathOf = (path: string) => (path === '' ? pages.operator : `${pages.operator}/${path}`);

const links = operatorPages.flatMap(({ path, name }) =>
  name === undefined ? [] : [{ path: pathOf(path), name, end: path === '' }],
);

/** What operators see and do. For everybody else these pages do not exist. */
export function OperatorPages() {
  const { user } = useSignedIn();
  const { page = '', id } = useParams();
  const path = id === undefined ? page : `${page}/:id`;
  const chosen = operatorPages.find((each) => each.path === path);
  if (!user.operator || !chosen) return <NotFoundPage />;
  return (
    <div className="mx-auto w-full max-w-7xl px-4 py-6 sm:px-6 sm:py-10">
      <Link to={pages.dashboard} className={buttonClass('quiet', 'mb-2 -ml-4 sm:hidden')}>
        <ArrowLeft aria-hidden className="size-4" /> Studio
      </Link>
      <p className="mb-3 text-2xl font-bold tracking-tight sm:text-3xl lg:mb-6">Operator</p>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-5 lg:grid-cols-[14rem_minmax(0,1fr)] lg:items-start lg:gap-8">
        <PageNav label="Operator" pages={links} />
        <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-5">
          {/* Before the page: its effects come first, so that the page's first call finds it. */}
          <OperatorConfirmation />
          {user.twoFactorEnabled ? (
            <LazyPage key={path} code={chosen.code} loading={<PageSkeleton />} />
          ) : (
            <Notice tone="info">
              Turn on two-factor sign-in under{' '}
              <Link to={pages.security} className="font-semibold underline underline-offset-2">
                Security
              </Link>{' '}
              to use the operator pages.
            </Notice>
          )}
        </div>
      </div>
    </div>
  );
}
