import { X } from 'lucide-react';
import { Dialog as Parts } from 'radix-ui';
import { type ReactNode, useRef } from 'react';

interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  /** What happens, in a sentence or two; said with the title. */
  description?: ReactNode;
  /** Keeps a click beside it and Escape from closing it: what is in it is shown once. */
  sticky?: boolean;
  children: ReactNode;
}

/** A dialog over the page; the focus goes back to where it came from. */
export function Dialog({ open, onOpenChange, title, description, sticky, children }: DialogProps) {
  const opener = useRef<{ element: Element | null; heading: HTMLElement | null }>(null);
  const unlessSticky = (event: Event) => sticky && event.preventDefault();
  return (
    <Parts.Root open={open} onOpenChange={onOpenChange}>
      <Parts.Portal>
        <Parts.Overlay className="fixed inset-0 z-40 grid animate-come-in place-items-end overflow-y-auto bg-veil backdrop-blur-[2px] sm:place-items-center sm:p-6">
          <Parts.Content
            {...(description === undefined && { 'aria-describedby': undefined })}
            onOpenAutoFocus={() => {
              const element = document.activeElement;
              const heading = element?.closest('section')?.querySelector('h2') ?? null;
              opener.current = { element, heading };
            }}
            onCloseAutoFocus={(event) => {
              event.preventDefault();
              const { element, heading } = opener.current ?? {};
              // What the dialog did may have taken its own button away.
              if (element instanceof HTMLElement && element.isConnected) element.focus();
              else heading?.focus();
            }}
            onEscapeKeyDown={unlessSticky}
            onInteractOutside={unlessSticky}
            className="relative w-full rounded-t-card border border-line bg-surface p-5 pb-[max(1.25rem,env(safe-area-inset-bottom))] shadow-card outline-none sm:max-w-lg sm:rounded-card sm:p-7"
          >
            <Parts.Title className="pr-10 text-xl font-semibold">{title}</Parts.Title>
            {description !== undefined && (
              <Parts.Description asChild>
                <div className="mt-2 text-ink-soft">{description}</div>
              </Parts.Description>
            )}
            <div className="mt-5">{children}</div>
            {!sticky && (
              <Parts.Close
                aria-label="Close"
                className="absolute top-3 right-3 grid size-11 place-items-center rounded-full text-ink-soft hover:bg-sunken hover:text-ink"
              >
                <X aria-hidden className="size-5" />
              </Parts.Close>
            )}
          </Parts.Content>
        </Parts.Overlay>
      </Parts.Portal>
    </Parts.Root>
  );
}

/** The buttons at a dialog's end: the main one last, on top on a phone. */
export function DialogButtons({ children }: { children: ReactNode }) {
  return <div className="mt-6 flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">{children}</div>;
}
