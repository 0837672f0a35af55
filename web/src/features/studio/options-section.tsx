import { ChevronRight } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { defaultOptions, imageStyles, optionTexts } from '#contract';
import { createComponentCode, useComponentCode } from '#web/lib/component-code.ts';
import type { StudioOptions } from '#web/lib/studio-options.ts';
import type { StudioOptionFieldsProps } from '#web/ui/options/option-fields.tsx';

const fieldsCode = createComponentCode(
  async () => (await import('#web/ui/options/option-fields.tsx')).StudioOptionFields,
);
/** Starts loading; opening the section reports an error. */
const preloadFields = () => void fieldsCode.preload();

/** How the images are made: their number, size, style, what to leave out, background and seed. Closed at first. */
export function OptionsSection(props: StudioOptionFieldsProps) {
  const [open, setOpen] = useState(false);
  const Fields = useComponentCode(fieldsCode, open);
  const section = useRef<HTMLDetailsElement>(null);
  const shown = open && Fields !== undefined;
  useEffect(() => {
    // It is at the end of the panel, whose lower border may hide all of its fields.
    if (shown) section.current?.scrollIntoView({ block: 'nearest', behavior: 'smooth' });
  }, [shown]);
  return (
    <details
      ref={section}
      className="group scroll-mt-24 scroll-mb-36 lg:scroll-mt-4"
      onPointerEnter={preloadFields}
      onFocus={preloadFields}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary className="flex min-h-11 items-center gap-1.5 rounded-field text-sm font-semibold">
        <ChevronRight aria-hidden className="size-4 shrink-0 transition-transform group-open:rotate-90" />
        <span>Options</span>
        <span className="ml-auto min-w-0 truncate font-normal text-ink-soft">{summaryOf(props.options)}</span>
      </summary>
      {shown && <Fields {...props} />}
    </details>
  );
}

/** What differs from the defaults. */
function summaryOf(options: StudioOptions): string {
  const { numImages, width, height, style, background, useSeed, seedValue } = options;
  const texts = Object.entries(optionTexts) as [keyof typeof optionTexts, string][];
  const sizeChanged = width !== defaultOptions.width || height !== defaultOptions.height;
  return [
    ...(numImages > 1 ? [`${numImages} images`] : []),
    ...(sizeChanged ? [`${width} × ${height}`] : []),
    ...(style === defaultOptions.style ? [] : [imageStyles[style].name]),
    ...(background === 'transparent' ? ['Transparent'] : []),
    ...(useSeed ? [`Seed ${seedValue}`] : []),
    ...texts.filter(([name]) => options[name] !== defaultOptions[name]).map(([, label]) => label),
  ].join(' · ');
}
