import clsx from 'clsx';
import type { ReactNode, Ref } from 'react';
import {
  type ReactZoomPanPinchProps,
  type ReactZoomPanPinchRef,
  TransformComponent,
  TransformWrapper,
} from 'react-zoom-pan-pinch';

export type { ReactZoomPanPinchRef as ZoomHandle } from 'react-zoom-pan-pinch';

/** How much a key or a button adds to the zoom. */
export const zoomStep = 0.5;

interface ZoomPaneProps {
  ref: Ref<ReactZoomPanPinchRef>;
  /** What it is called, with the keys. */
  label: string;
  isZoomed: boolean;
  maxScale: number;
  /** Whether a wheel moves what is zoomed. Otherwise the page scrolls, and a wheel zooms with Ctrl. */
  movesByWheel?: boolean;
  onTransform: NonNullable<ReactZoomPanPinchProps['onTransform']>;
  /** Fills the frame without zoom. */
  children: ReactNode;
}

/** What can be zoomed and moved with pointer, fingers, wheel and keys, within the element around it. */
export function ZoomPane(props: ZoomPaneProps) {
  const { ref, label, isZoomed, maxScale, movesByWheel = false, onTransform, children } = props;
  return (
    <TransformWrapper
      ref={ref}
      maxScale={maxScale}
      disablePadding
      // The page scrolls over what is not zoomed; a wheel zooms with Ctrl only, as a pinch on a touchpad does.
      panning={{ disabled: !isZoomed, velocityDisabled: true }}
      wheel={{ wheelDisabled: true }}
      trackPadPanning={{ disabled: !(movesByWheel && isZoomed), velocityDisabled: true }}
      doubleClick={{ mode: 'toggle', step: 1, animationTime: 0 }}
      keyboard={{ disabled: false, zoomStep, animationTime: 0 }}
      onTransform={onTransform}
    >
      <TransformComponent
        wrapperProps={{ role: 'group', 'aria-label': label }}
        // The frame hides what is beside it.
        wrapperClass="-outline-offset-3"
        wrapperStyle={{ width: '100%', height: '100%' }}
        contentStyle={{ width: '100%', height: '100%' }}
      >
        {children}
      </TransformComponent>
    </TransformWrapper>
  );
}

/** The class of the element around a pane. One finger moves a picture only once it is zoomed. */
export const zoomFrameClass = (isZoomed: boolean) => (isZoomed ? 'touch-none' : 'touch-pan-y');

interface RoundButtonProps {
  label: string;
  disabled: boolean;
  onClick: () => void;
  className?: string;
  children: ReactNode;
}

/** A round button with an icon. It keeps the focus when it can do nothing more. */
export function RoundButton({ label, disabled, onClick, className, children }: RoundButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      aria-disabled={disabled}
      onClick={() => !disabled && onClick()}
      className={clsx(
        'grid size-11 shrink-0 place-items-center rounded-full border border-line-strong hover:bg-sunken aria-disabled:cursor-not-allowed aria-disabled:opacity-50',
        className,
      )}
    >
      {children}
    </button>
  );
}
