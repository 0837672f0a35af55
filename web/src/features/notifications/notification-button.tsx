import { Bell } from 'lucide-react';
import { createComponentCode } from '#web/lib/component-code.ts';
import { PopoverButton } from '#web/ui/popover-button.tsx';

const popoverCode = createComponentCode(
  async () => (await import('./notification-popover.tsx')).NotificationPopover,
);

/** Opens the notifications; shows how many are unread. */
export function NotificationButton({ unread }: { unread: number }) {
  return (
    <PopoverButton
      code={popoverCode}
      aria-label={unread === 0 ? 'Notifications' : `Notifications, ${unread} unread`}
    >
      <Bell aria-hidden className="size-5" />
      {unread > 0 && (
        <span className="absolute top-0.5 right-0 min-w-5 rounded-full bg-accent px-1 text-center text-xs leading-5 text-accent-ink">
          {unread < 100 ? unread : '99+'}
        </span>
      )}
    </PopoverButton>
  );
}
