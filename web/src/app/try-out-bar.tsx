/**
 * A bar on every page of a try-out installation. It is in every page, so that nothing moves when it appears; the server
 * marks the document of a try-out with `data-try-out`, without which base.css hides it.
 */
export function TryOutBar() {
  return (
    <aside
      aria-label="Try-out"
      className="try-out-bar border-b border-line bg-surface px-4 py-1.5 text-center text-xs text-ink-soft"
    >
      <strong className="font-semibold text-ink">Try-out</strong>: payments, emails or images may not be real.
    </aside>
  );
}
