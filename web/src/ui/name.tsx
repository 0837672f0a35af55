import type { ComponentProps } from 'react';
import { isolateName } from '#contract';

/**
 * A name, code or address that someone else wrote: it and the text around it keep their directions, and a browser does not
 * translate it. Where it is cut off, it needs the class of that itself: its end is cut off then. Strings have `isolateName`.
 */
export function Name(props: ComponentProps<'bdi'>) {
  return <bdi translate="no" {...props} />;
}

/** An option of a select that is a name. */
export const nameOption = (value: string, name: string) => ({
  value,
  label: isolateName(name),
  translate: 'no' as const,
});
