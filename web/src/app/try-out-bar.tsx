import { useService } from '#web/lib/service.ts';

/** A bar on every page of a try-out installation; renders nothing on any other. */
export function TryOutBar() {
  if (!useService()?.tryOut) return null;
  return (
    <p role="note" className="border-b border-line bg-surface px-4 py-1.5 text-center text-xs text-ink-soft">
      <strong className="font-semibold text-ink">Try-out</strong>: payments, emails or images may not be real.
    </p>
  );
}
