import { type ComponentProps, useEffect, useRef } from 'react';
import { mergeRefs } from './merge-refs.ts';

interface FileInputProps extends Omit<ComponentProps<'input'>, 'type' | 'onChange'> {
  /** @param files at least one */
  onFiles: (files: File[]) => void;
}

/** The input whose dialog was opened last: Chrome forgets an input that is in no document and that nobody has. */
const asking = new Set<HTMLInputElement>();

/**
 * Chooses files. They arrive even if the page has replaced the input while the seller was choosing: what was read in the
 * meantime may change it, and React does not hear the events of an element that it has removed.
 */
export function FileInput({ onFiles, ref, ...props }: FileInputProps) {
  const own = useRef<HTMLInputElement>(null);
  const latest = useRef(onFiles);
  useEffect(() => {
    latest.current = onFiles;
  }, [onFiles]);
  useEffect(() => {
    const input = own.current!;
    input.onclick = () => {
      asking.clear();
      asking.add(input);
    };
    input.onchange = () => {
      const files = [...(input.files ?? [])];
      // The same file may be chosen again.
      input.value = '';
      if (files.length > 0) latest.current(files);
    };
  }, []);
  return <input {...props} ref={mergeRefs(own, ref)} type="file" />;
}
