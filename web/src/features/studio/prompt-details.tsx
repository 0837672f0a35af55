import { type GenerationOptions, type GenerationView, imageStyles } from '#contract';

/** Everything that the image service was told about an image. */
export function PromptDetails({ view }: { view: GenerationView }) {
  return (
    <section aria-label="What we asked for" className="mt-4 max-w-prose">
      <h3 className="font-semibold text-ink-soft">What we asked for</h3>
      <p dir="auto" className="mt-1 whitespace-pre-wrap break-words">
        {view.composedPrompt}
      </p>
      <p className="mt-2 text-ink-soft">{optionsText(view.options)}</p>
    </section>
  );
}

/** Size, style and, if there are any, transparent background and seed of an image, in one line. */
export function optionsText({ width, height, style, background, seed }: GenerationOptions): string {
  return [
    `${width} × ${height} px`,
    `Style: ${imageStyles[style].name}`,
    ...(background === 'transparent' ? ['Transparent background'] : []),
    ...(seed === null ? [] : [`Seed: ${seed}`]),
  ].join(' · ');
}
