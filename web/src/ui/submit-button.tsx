import type { ComponentProps } from 'react';
import { Button, type ButtonLook } from './button.tsx';
import { Spinner } from './spinner.tsx';

interface SubmitButtonProps extends ComponentProps<'button'> {
  look?: ButtonLook;
  busy: boolean;
  /** What it reads while busy, `Saving...` for instance. */
  busyLabel: string;
}

/** A button that says when its work is under way; it submits unless its `type` says otherwise. */
export function SubmitButton({ busy, busyLabel, children, disabled, ...rest }: SubmitButtonProps) {
  return (
    <Button type="submit" disabled={busy || disabled} {...rest}>
      {busy && <Spinner />}
      {busy ? busyLabel : children}
    </Button>
  );
}
