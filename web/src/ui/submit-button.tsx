import type { ComponentProps } from 'react';
import { Button, type ButtonVariant } from './button.tsx';
import { Spinner } from './spinner.tsx';

interface SubmitButtonProps extends ComponentProps<'button'> {
  variant?: ButtonVariant;
  busy: boolean;
  /** Its label while busy, `Saving...` for instance. */
  busyLabel: string;
}

/** A button that shows when its action is under way; `type` defaults to `submit`. */
export function SubmitButton({ busy, busyLabel, children, disabled, ...rest }: SubmitButtonProps) {
  return (
    <Button type="submit" disabled={busy || disabled} {...rest}>
      {busy && <Spinner />}
      {busy ? busyLabel : children}
    </Button>
  );
}
