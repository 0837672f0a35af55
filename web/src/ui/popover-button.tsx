import { type ComponentProps, type ComponentType, type ReactElement, useState } from 'react';
import type { ComponentCode } from '#web/lib/component-code.ts';
import { toastError } from './toast-error.ts';

/** A popover, open at first, with the button that opens it again. */
type LoadedPopover = ComponentType<PopoverProps>;

interface PopoverProps {
  trigger: ReactElement;
}

interface PopoverButtonProps extends ComponentProps<'button'> {
  'aria-label': string;
  /** The popover, which few visits open. */
  code: ComponentCode<PopoverProps>;
}

/** A round button that opens a popover, whose code is loaded when it is first wanted. */
export function PopoverButton({ code, ...button }: PopoverButtonProps) {
  const [Popover, setPopover] = useState<LoadedPopover>();
  const trigger = (props: ComponentProps<'button'>) => (
    <button
      type="button"
      title={button['aria-label']}
      className="relative inline-flex h-11 min-w-11 items-center justify-center gap-2 rounded-full px-2 text-sm font-semibold text-ink-soft hover:bg-sunken hover:text-ink"
      {...button}
      {...props}
    />
  );
  if (Popover) return <Popover trigger={trigger({})} />;
  const preload = () => void code.preload();
  const open = () =>
    code.load().then(
      (loaded) => setPopover(() => loaded),
      () => toastError('This could not be loaded. Please reload the page.'),
    );
  return trigger({
    'aria-haspopup': 'dialog',
    'aria-expanded': false,
    onPointerEnter: preload,
    onFocus: preload,
    onClick: open,
  });
}
