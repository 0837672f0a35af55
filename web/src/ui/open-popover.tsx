import { Popover } from 'radix-ui';
import { type ReactElement, type ReactNode, useId, useState } from 'react';

interface OpenPopoverProps {
  trigger: ReactElement;
  title: string;
  /** Beside the title. */
  action?: ReactNode;
  /** @param close closes the popover, when something in it was chosen */
  children: (close: () => void) => ReactNode;
}

/** A popover of the top bar, open at first. Only for code that is loaded when it is first opened. */
export function OpenPopover({ trigger, title, action, children }: OpenPopoverProps) {
  const [open, setOpen] = useState(true);
  const heading = useId();
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger asChild>{trigger}</Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="end"
          sideOffset={8}
          collisionPadding={12}
          aria-labelledby={heading}
          className="z-50 max-h-(--radix-popover-content-available-height) w-92 max-w-[calc(100vw-1.5rem)] animate-fade-in overflow-y-auto rounded-card border border-line bg-surface p-4 text-ink shadow-card"
        >
          <div className="mb-2 flex min-h-8 items-center justify-between gap-3">
            <h2 id={heading} className="font-semibold">
              {title}
            </h2>
            {action}
          </div>
          {children(() => setOpen(false))}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
