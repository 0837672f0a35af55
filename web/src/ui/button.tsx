import clsx from 'clsx';
import type { ComponentProps } from 'react';

export type ButtonVariant = 'primary' | 'secondary' | 'quiet';

/** The classes of a button, also for links that look like one. */
export function buttonClass(variant: ButtonVariant = 'primary', className?: string): string {
  return clsx(
    'inline-flex min-h-11 items-center justify-center gap-2 rounded-full px-5 text-center text-[0.9375rem] font-semibold',
    'transition-colors duration-150 select-none min-[22rem]:whitespace-nowrap disabled:cursor-not-allowed disabled:opacity-60 aria-disabled:cursor-not-allowed',
    variant === 'primary' &&
      'border border-transparent bg-accent text-accent-ink shadow-card not-disabled:hover:bg-accent-hover',
    variant === 'secondary' && 'border border-line-strong bg-surface text-ink not-disabled:hover:bg-sunken',
    variant === 'quiet' && 'text-ink not-disabled:hover:bg-sunken',
    className,
  );
}

/** A button; `type` defaults to `button`. */
export function Button({
  variant,
  className,
  type = 'button',
  ...rest
}: ComponentProps<'button'> & { variant?: ButtonVariant }) {
  return <button type={type} className={buttonClass(variant, className)} {...rest} />;
}

/** The classes of a link within text. */
export const textLinkClass = 'font-semibold text-accent underline underline-offset-3';
