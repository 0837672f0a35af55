import clsx from 'clsx';
import { X } from 'lucide-react';
import { Dialog as RadixDialog } from 'radix-ui';
import { type FormEvent, type ReactNode, useRef } from 'react';
import { Button } from './button.tsx';
import { Notice } from './notice.tsx';
import { SubmitButton } from './submit-button.tsx';

interface DialogProps {
  open: boolean;
  onClose: () => void;
  title: ReactNode;
  /** One or two sentences; announced with the title. */
  description?: ReactNode;
  /** False if only its own buttons close it, because its content is shown only once. */
  dismissible?: boolean;
  /** For tools that need room: as wide as the window on a large screen, and on a very large one. */
  wide?: boolean | 'most';
  children: ReactNode;
}

/** A modal dialog; when it closes, the focus returns to the element that opened it. */
export function Dialog({
  open,
  onClose,
  title,
  description,
  dismissible = true,
  wide = false,
  children,
}: DialogProps) {
  const opener = useRef<{ element: Element | null; heading: HTMLElement | null }>(null);
  const unlessDismissible = (event: Event) => !dismissible && event.preventDefault();
  return (
    <RadixDialog.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className="fixed inset-0 z-40 grid animate-fade-in place-items-end overflow-y-auto bg-veil backdrop-blur-[2px] sm:place-items-center sm:p-6">
          <RadixDialog.Content
            {...(description === undefined && { 'aria-describedby': undefined })}
            onOpenAutoFocus={() => {
              const element = document.activeElement;
              const heading = element?.closest('section')?.querySelector('h2') ?? null;
              opener.current = { element, heading };
            }}
            onCloseAutoFocus={(event) => {
              event.preventDefault();
              const { element, heading } = opener.current ?? {};
              // The button that opened the dialog may be gone; then its section's heading gets the focus.
              if (element instanceof HTMLElement && element.isConnected) element.focus();
              else heading?.focus();
            }}
            onEscapeKeyDown={unlessDismissible}
            onInteractOutside={unlessDismissible}
            className={clsx(
              'relative w-full rounded-t-card border border-line bg-surface p-5 pb-[max(1.25rem,env(safe-area-inset-bottom))] shadow-card outline-none sm:rounded-card sm:p-7',
              { true: 'sm:max-w-5xl', most: 'sm:max-w-7xl', false: 'sm:max-w-lg' }[String(wide)],
            )}
          >
            <RadixDialog.Title className="pr-10 text-xl font-semibold">{title}</RadixDialog.Title>
            {description !== undefined && (
              <RadixDialog.Description asChild>
                <div className="mt-2 text-ink-soft">{description}</div>
              </RadixDialog.Description>
            )}
            <div className="mt-5">{children}</div>
            {dismissible && <CloseButton />}
          </RadixDialog.Content>
        </RadixDialog.Overlay>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}

function CloseButton() {
  return (
    <RadixDialog.Close
      aria-label="Close"
      className="absolute top-3 right-3 grid size-11 place-items-center rounded-full text-ink-soft hover:bg-sunken hover:text-ink"
    >
      <X aria-hidden className="size-5" />
    </RadixDialog.Close>
  );
}

/** The buttons at the end of a dialog: the main one last, and on top on a phone. */
export function DialogButtons({ children }: { children: ReactNode }) {
  return <div className="mt-6 flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">{children}</div>;
}

interface DialogFormProps {
  /** What `useFormMutation` returns. */
  mutation: {
    submit: (event: FormEvent) => void;
    isPending: boolean;
    formError: string | null;
  };
  /** The fields. */
  children: ReactNode;
  submitLabel: string;
  busyLabel?: string | undefined;
  submitClassName?: string | undefined;
  cancelLabel?: string | undefined;
  onCancel: () => void;
}

/** A form in a dialog, with its error and its two buttons. */
export function DialogForm(props: DialogFormProps) {
  const { mutation, children, submitLabel, busyLabel = 'Saving...', submitClassName } = props;
  const { cancelLabel = 'Cancel', onCancel } = props;
  const { submit, isPending, formError } = mutation;
  // React passes the event on to the form that the dialog was opened from, which must not be submitted.
  const submitThis = (event: FormEvent) => {
    event.stopPropagation();
    submit(event);
  };
  return (
    <form noValidate onSubmit={submitThis} className="grid gap-5">
      {formError && <Notice tone="danger">{formError}</Notice>}
      {children}
      <DialogButtons>
        <Button variant="secondary" onClick={onCancel}>
          {cancelLabel}
        </Button>
        <SubmitButton busy={isPending} busyLabel={busyLabel} className={submitClassName}>
          {submitLabel}
        </SubmitButton>
      </DialogButtons>
    </form>
  );
}

interface ConfirmDialogProps extends Pick<DialogProps, 'title' | 'description'> {
  open?: boolean;
  /** Of the button that does it, and while it is being done. */
  label: string;
  busyLabel?: string;
  cancelLabel?: string;
  busy?: boolean;
  /** Why it was refused. */
  error?: string | null;
  /** How far it is. */
  children?: ReactNode;
  onConfirm: () => void;
  /** Is not called while it is being done. */
  onClose: () => void;
}

/** Asks before something is done. It stays open until that is done, and says why it was refused. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { open = true, title, description, label, busyLabel = '', cancelLabel = 'Cancel' } = props;
  const { busy = false, error = null, children, onConfirm, onClose } = props;
  return (
    <Dialog open={open} onClose={() => !busy && onClose()} title={title} description={description}>
      {error !== null && !busy && <Notice tone="danger">{error}</Notice>}
      {children}
      <DialogButtons>
        <Button variant="secondary" disabled={busy} onClick={onClose}>
          {cancelLabel}
        </Button>
        <SubmitButton type="button" busy={busy} busyLabel={busyLabel} onClick={onConfirm}>
          {label}
        </SubmitButton>
      </DialogButtons>
    </Dialog>
  );
}
