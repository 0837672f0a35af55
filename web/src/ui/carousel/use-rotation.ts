import {
  type FocusEvent,
  type PointerEvent,
  type RefObject,
  useEffect,
  useState,
  useSyncExternalStore,
} from 'react';
import { createRotation, type Rotation, type RotationState } from './rotation.ts';

interface UsedRotation {
  rotation: Rotation;
  state: RotationState;
  /** Whether the carousel has been on the screen. */
  wasShown: boolean;
  /** Handlers for the carousel's outermost element: it does not move by itself under the pointer or with the focus. */
  holdHandlers: {
    onPointerEnter(event: PointerEvent): void;
    onPointerLeave(): void;
    onFocus(event: FocusEvent): void;
    onBlur(event: FocusEvent): void;
  };
}

/**
 * A rotation that also holds in a hidden tab, when its element is not on the screen, and when the visitor's system asks
 * for reduced motion.
 * @param count the number of slides; must not change
 */
export function useRotation(count: number, element: RefObject<HTMLElement | null>): UsedRotation {
  const [rotation] = useState(() => createRotation(count));
  const [wasShown, setWasShown] = useState(false);
  const state = useSyncExternalStore(rotation.subscribe, rotation.getState, rotation.getState);

  useEffect(() => {
    const reducedMotion = matchMedia('(prefers-reduced-motion: reduce)');
    const holdReducedMotion = () => rotation.hold('reduced-motion', reducedMotion.matches);
    const holdHiddenTab = () => rotation.hold('hidden-tab', document.hidden);
    // An element that is not displayed, such as the one on the sign-in page of a phone, does not intersect either.
    const observer = new IntersectionObserver(
      (entries) => {
        const isShown = entries.at(-1)?.isIntersecting === true;
        rotation.hold('not-shown', !isShown);
        if (isShown) setWasShown(true);
      },
      { threshold: 0.3 },
    );
    holdReducedMotion();
    holdHiddenTab();
    reducedMotion.addEventListener('change', holdReducedMotion);
    document.addEventListener('visibilitychange', holdHiddenTab);
    if (element.current) observer.observe(element.current);
    return () => {
      reducedMotion.removeEventListener('change', holdReducedMotion);
      document.removeEventListener('visibilitychange', holdHiddenTab);
      observer.disconnect();
      rotation.stop();
    };
  }, [rotation, element]);

  return {
    rotation,
    state,
    wasShown,
    holdHandlers: {
      // A finger does not hover: it swipes or taps.
      onPointerEnter: ({ pointerType }) => pointerType !== 'touch' && rotation.hold('hover', true),
      onPointerLeave: () => rotation.hold('hover', false),
      // A click also moves the focus, but not `:focus-visible`: the carousel continues when the pointer leaves it.
      onFocus: ({ target }) => target.matches(':focus-visible') && rotation.hold('focus', true),
      onBlur: ({ currentTarget, relatedTarget }) =>
        !currentTarget.contains(relatedTarget) && rotation.hold('focus', false),
    },
  };
}
