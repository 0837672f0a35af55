import { useQueryClient } from '@tanstack/react-query';
import {
  CircleQuestionMark,
  Images,
  Layers,
  type LucideIcon,
  Sparkles,
  UserRound,
  WifiOff,
} from 'lucide-react';
import {
  type ReactNode,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useState,
  useSyncExternalStore,
} from 'react';
import { Link, useLocation, useNavigate } from 'react-router-dom';
import { Toaster, toast } from 'sonner';
import { type GenerationView, hasEnded, type Me, pages, type Settings } from '#contract';
import { AccountMenu } from '#web/features/account/account-menu.tsx';
import { BannerBar } from '#web/features/banner/banner-bar.tsx';
import { NotificationButton } from '#web/features/notifications/notification-button.tsx';
import { balanceText, shortBalanceText } from '#web/features/plan/balance-text.ts';
import { OverdueBanner } from '#web/features/plan/overdue-banner.tsx';
import { PasswordReminder } from '#web/features/profile/password-reminder.tsx';
import { UnreachableBanner } from '#web/features/profile/unreachable-banner.tsx';
import { useUploadProgress } from '#web/features/studio/submission.tsx';
import { createComponentCode } from '#web/lib/component-code.ts';
import { setLanguage } from '#web/lib/dates.ts';
import { removeDraft } from '#web/lib/draft.ts';
import { reloadPage } from '#web/lib/full-load.ts';
import { usePending } from '#web/lib/generations.ts';
import { cachedGenerations } from '#web/lib/live/cache.ts';
import { connectLive, type LiveConnection } from '#web/lib/live/connection.ts';
import { notificationPermission, shouldNotify, showEndNotification } from '#web/lib/notifications.ts';
import { releaseWatch } from '#web/lib/release.ts';
import { requestEnd } from '#web/lib/request-end.ts';
import { setTheme, useTheme } from '#web/lib/theme.ts';
import { textLinkClass } from '#web/ui/button.tsx';
import { Logo } from '#web/ui/logo.tsx';
import { PopoverButton } from '#web/ui/popover-button.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { shownQuery } from './shown-query.ts';
import { useTabTitle } from './use-tab-title.ts';

/** Delay before a lost connection is shown; most are back within that time. */
const reconnectingDelayMs = 2_000;

function ConnectionStatus({ live }: { live: LiveConnection }) {
  const connected = useSyncExternalStore(live.subscribe, live.isConnected);
  const [lost, setLost] = useState(false);
  useEffect(() => {
    if (connected) return setLost(false);
    const timer = setTimeout(() => setLost(true), reconnectingDelayMs);
    return () => clearTimeout(timer);
  }, [connected]);
  return (
    <p role="status" className="flex items-center gap-2 text-sm text-ink-soft">
      {lost && (
        <>
          <WifiOff aria-hidden className="size-4" /> <span className="max-xl:sr-only">Reconnecting…</span>
        </>
      )}
    </p>
  );
}

const helpCode = createComponentCode(
  async () => (await import('#web/features/help/help-popover.tsx')).HelpPopover,
);

interface BarLinkProps {
  to: string;
  name: string;
  Icon: LucideIcon;
}

/** Where the seller works, in the order of the bars. */
const barLinks: readonly BarLinkProps[] = [
  { to: pages.dashboard, name: 'Studio', Icon: Sparkles },
  { to: pages.library, name: 'Library', Icon: Images },
  { to: pages.batches, name: 'Batch', Icon: Layers },
];

/** Whether a link of the bars leads to the page that is shown, or to the one that it belongs to. */
function currentIn(pathname: string, to: string): 'page' | 'true' | undefined {
  if (pathname === to) return 'page';
  return pathname.startsWith(`${to}/`) ? 'true' : undefined;
}

/** A link of the top bar. */
function TopBarLink({ to, name }: Omit<BarLinkProps, 'Icon'>) {
  const { pathname } = useLocation();
  return (
    <Link
      to={to}
      aria-current={currentIn(pathname, to)}
      className="inline-flex min-h-11 items-center rounded-full px-2 text-[0.9375rem] font-semibold whitespace-nowrap text-ink-soft hover:bg-sunken hover:text-ink aria-current:text-ink aria-current:underline aria-current:decoration-accent aria-current:decoration-2 aria-current:underline-offset-8 lg:px-3"
    >
      {name}
    </Link>
  );
}

const bottomItemClass =
  'flex min-w-0 flex-col items-center justify-center gap-0.5 rounded-field text-xs font-semibold text-ink-soft aria-current:text-accent';

/** The bar at the bottom of phones: where the seller works, and the account. */
function BottomBar({ children }: { children: ReactNode }) {
  const { pathname } = useLocation();
  return (
    <nav
      aria-label="Main"
      data-bottom-bar
      className="fixed inset-x-0 bottom-0 z-30 grid h-(--bottom-bar) grid-cols-4 border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] sm:hidden"
    >
      {barLinks.map(({ to, name, Icon }) => (
        <Link key={to} to={to} aria-current={currentIn(pathname, to)} className={bottomItemClass}>
          <Icon aria-hidden className="size-5.5" />
          {name}
        </Link>
      ))}
      {children}
    </nav>
  );
}

/** The images left, on every page; it leads to what was used. */
function Balance({ subscription }: Pick<Me, 'subscription'>) {
  const text = balanceText(subscription);
  const short = shortBalanceText(subscription);
  return (
    <Link
      to={pages.usage}
      className="min-w-0 rounded-full border border-line px-3 py-1.5 text-[0.8125rem] leading-tight font-semibold tabular-nums hover:border-line-strong max-sm:px-2.5 max-sm:text-xs"
    >
      {short === text ? (
        text
      ) : (
        <>
          <span className="max-sm:hidden">{text}</span>
          <span className="sm:hidden">{short}</span>
        </>
      )}
    </Link>
  );
}

/** The layout of every page for a signed-in seller: top bar, live connection, toasts. */
export function Shell({ me, children }: { me: Me; children: ReactNode }) {
  const client = useQueryClient();
  const theme = useTheme();
  const [live, setLive] = useState<LiveConnection | null>(null);
  const onGeneration = useEffectEvent(useEndNotifications(me.settings));
  useApplySettings(me.settings);
  useTabTitle();
  useDownloadAdvice();
  useEffect(() => {
    const connection = connectLive(client, (view) => onGeneration(view));
    setLive(connection);
    return () => connection.close();
  }, [client]);

  return (
    <>
      <a
        href="#content"
        className="sr-only z-50 rounded-full bg-accent px-5 py-3 font-semibold text-accent-ink focus:not-sr-only focus:fixed focus:top-3 focus:left-3"
      >
        Skip to content
      </a>
      <header className="sticky top-0 z-30 border-b border-line bg-surface">
        <div className="mx-auto flex max-w-[100rem] items-center gap-1 px-4 py-2 sm:gap-2 sm:px-6">
          <Logo to={pages.dashboard} compact />
          <nav aria-label="Main" className="mr-auto ml-1 hidden items-center sm:flex lg:ml-4 lg:gap-1">
            {barLinks.slice(0, 2).map(({ to, name }) => (
              <TopBarLink key={to} to={to} name={name} />
            ))}
            <TopBarLink to={pages.projects} name="Projects" />
            {barLinks.slice(2).map(({ to, name }) => (
              <TopBarLink key={to} to={to} name={name} />
            ))}
          </nav>
          <div className="flex min-w-0 items-center gap-1 max-sm:ml-auto sm:gap-2">
            {live && <ConnectionStatus live={live} />}
            <TrayButton />
            <NotificationButton unread={me.unreadNotifications} />
            <Balance subscription={me.subscription} />
            <PopoverButton code={helpCode} aria-label="Help">
              <CircleQuestionMark aria-hidden className="size-5" />
            </PopoverButton>
            <span className="max-sm:hidden">
              <AccountMenu user={me.user} />
            </span>
          </div>
        </div>
        <UpdateNotice />
      </header>
      <BannerBar />
      <OverdueBanner subscription={me.subscription} />
      <UnreachableBanner user={me.user} />
      <PasswordReminder me={me} />
      <main id="content" tabIndex={-1} className="max-sm:pb-(--bottom-bar)">
        {children}
      </main>
      <BottomBar>
        <span className="grid place-items-center">
          <AccountMenu user={me.user} className={bottomItemClass}>
            <UserRound aria-hidden className="size-5.5" />
            Account
          </AccountMenu>
        </span>
      </BottomBar>
      <Toaster
        theme={theme}
        position="top-center"
        // Over the top bar, and not over what is below it.
        offset={toastOffset}
        mobileOffset={toastOffset}
        toastOptions={{
          // A message waits for no pointer, and what is below can be pressed; what an error says can be copied.
          className: 'not-data-[type=error]:pointer-events-none [&_button]:pointer-events-auto',
          style: {
            background: 'var(--surface)',
            color: 'var(--ink)',
            borderColor: 'var(--line-strong)',
            borderRadius: '0.75rem',
            fontFamily: 'inherit',
            fontSize: '0.9375rem',
          },
        }}
      />
    </>
  );
}

const toastOffset = { top: '0.25rem' };

const trayCode = createComponentCode(async () => (await import('./tray-popover.tsx')).TrayPopover);

/** Leads to the upload and the images that are being made, from every page, and to those that have ended since it was opened. */
function TrayButton() {
  const views = usePending();
  const uploading = useUploadProgress() !== null;
  if (views.length === 0 && !uploading) return null;
  const count = views.filter(({ state }) => !hasEnded(state)).length + (uploading ? 1 : 0);
  return (
    <PopoverButton code={trayCode} aria-label={count === 0 ? 'Finished images' : `${count} in progress`}>
      {count === 0 ? (
        <span className="text-lg text-accent">✓</span>
      ) : (
        <>
          <Spinner className="text-accent" /> {count}
        </>
      )}
    </PopoverButton>
  );
}

/** Applies the signed-in seller's theme, language and draft settings to this window. */
function useApplySettings({ theme, language, autoSave }: Settings): void {
  const client = useQueryClient();
  // Before the page is painted: this browser may have shown another one until now.
  useLayoutEffect(() => setTheme(theme), [theme]);
  useEffect(() => setLanguage(language), [language]);
  useEffect(() => {
    if (!autoSave) removeDraft(client, { signedOut: false });
  }, [autoSave, client]);
}

/**
 * Shows a browser notification when a request has ended while the window is hidden: one for all its takes.
 * @returns a listener for the views that events bring; call it before the view is cached
 */
function useEndNotifications(settings: Settings): (view: GenerationView) => void {
  const client = useQueryClient();
  const navigate = useNavigate();
  return (view) => {
    // A batch has its own mail and notification at its end.
    if (!document.hidden || !hasEnded(view.state) || view.batchId !== null) return;
    if (!shouldNotify(settings, notificationPermission())) return;
    const cached = cachedGenerations(client);
    // Only for the first event: afterwards the cached view has ended.
    if (!cached.some(({ id, state }) => id === view.id && !hasEnded(state))) return;
    const others = cached.filter(({ id, set }) => id !== view.id && set.id === view.set.id);
    const takes = [...others, view];
    const end = requestEnd(takes);
    if (end)
      showEndNotification(takes, end, () =>
        navigate(`${pages.dashboard}?${new URLSearchParams(shownQuery(view))}`),
      );
  };
}

/** Browsers inside apps that may save no files. */
const browsersOfApps =
  /Instagram|FBA[NV]|FB_IAB|TikTok|musical_ly|Snapchat|Pinterest|LinkedInApp|MicroMessenger|\bLine\//;

const downloadAdvice =
  'The browser of this app may not save files. Open this page in your browser: choose “Open in browser” from the menu.';

/** In the browser of an app that may save no files, says so at each download, and what to do. */
function useDownloadAdvice(): void {
  useEffect(() => {
    if (!browsersOfApps.test(navigator.userAgent)) return;
    const advise = ({ target }: MouseEvent) => {
      const isDownload = target instanceof Element && target.closest('a[download]') !== null;
      if (!isDownload) return;
      toast.info(downloadAdvice, {
        id: downloadAdvice,
        duration: Number.POSITIVE_INFINITY,
        closeButton: true,
      });
    };
    document.addEventListener('click', advise);
    return () => document.removeEventListener('click', advise);
  }, []);
}

const dialogCode = createComponentCode(async () => (await import('./update-dialog.tsx')).UpdateDialog);

/** Says that the server has another release than this page, and a day later asks to reload it. */
function UpdateNotice() {
  const stage = useSyncExternalStore(releaseWatch.subscribe, releaseWatch.stage);
  const [shown, setShown] = useState<'nothing' | 'notice' | 'dialog'>('nothing');
  useEffect(() => {
    if (stage === 'same') return;
    let isOver = false;
    // The dialog's code is of this release, and may be gone when it is needed: the notice needs none.
    const loaded = dialogCode.preload();
    if (stage === 'updated') setShown('notice');
    else void loaded.then(() => !isOver && setShown(dialogCode.component ? 'dialog' : 'notice'));
    return () => {
      isOver = true;
      setShown('nothing');
    };
  }, [stage]);
  const Dialog = dialogCode.component;
  const button = (label: string, onClick: () => unknown) => (
    <button type="button" onClick={onClick} className={`min-h-11 rounded-field px-2 ${textLinkClass}`}>
      {label}
    </button>
  );
  return (
    <>
      <div role="status">
        {shown === 'notice' && (
          <div className="flex flex-wrap items-center justify-center gap-x-2 border-t border-line bg-accent-wash px-4 text-sm">
            <span className="py-2">
              Packshot was updated.
              <span className="max-sm:sr-only"> Your work is kept when you reload.</span>
            </span>
            <span>
              {button('Reload', reloadPage)}
              {button('Later', releaseWatch.later)}
            </span>
          </div>
        )}
      </div>
      {shown === 'dialog' && Dialog && <Dialog onReload={reloadPage} onLater={releaseWatch.later} />}
    </>
  );
}
