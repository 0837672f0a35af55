/** Beside images that the local renderer makes, which replaces OpenAI in an installation without an API key. */
export function LocalRendererBadge() {
  return (
    <p className="mt-4 ml-auto w-fit rounded-full border border-line px-2.5 py-0.5 text-xs text-ink-soft">
      Local renderer
    </p>
  );
}
