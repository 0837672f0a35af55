import { createComponentCode, useComponentCode } from '#web/lib/component-code.ts';
import type { ImageActionsProps } from './image-actions.tsx';

/** The code of what a seller can do with an image: a seller who comes for the first time has none. */
export const actionsCode = createComponentCode(
  async () => (await import('./image-actions.tsx')).ImageActions,
);

/** Shows nothing until its code is loaded. */
export function LazyImageActions(props: ImageActionsProps) {
  const ImageActions = useComponentCode(actionsCode, true);
  return ImageActions && <ImageActions {...props} />;
}
