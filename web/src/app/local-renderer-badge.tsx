import clsx from 'clsx';

/** Shown when images come from the local renderer, which replaces OpenAI while no API key is set. */
export function LocalRendererBadge({ className }: { className?: string }) {
  return (
    <p
      className={clsx(
        'rounded-2xl border border-line px-3 py-1 text-center text-xs text-ink-soft',
        className,
      )}
    >
      Local renderer: set OPENAI_API_KEY for AI images
    </p>
  );
}
