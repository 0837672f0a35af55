/** Code that scrolls sideways. */
export function Code({ text }: { text: string }) {
  return (
    <pre
      // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboards scroll it
      tabIndex={0}
      translate="no"
      dir="ltr"
      className="max-h-96 overflow-auto rounded-field bg-sunken p-4 font-mono text-sm leading-relaxed"
    >
      {text}
    </pre>
  );
}
