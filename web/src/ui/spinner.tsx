import clsx from 'clsx';
import { useEffect, useState } from 'react';

/** A spinning ring, hidden from screen readers: put a text beside it. */
export function Spinner({ className }: { className?: string }) {
  return (
    <span
      aria-hidden
      className={clsx(
        'inline-block size-4 shrink-0 animate-spin rounded-full border-2 border-current border-t-transparent',
        className,
      )}
    />
  );
}

/** A page that has not loaded: nothing for 500 ms, so that a fast page does not flicker, then a spinner. */
export function PageSpinner() {
  const [shown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), 500);
    return () => clearTimeout(timer);
  }, []);
  return (
    <main className="grid min-h-[60dvh] place-items-center" aria-busy>
      {shown && (
        <p role="status" className="flex items-center gap-3 text-ink-soft">
          <Spinner /> Loading…
        </p>
      )}
    </main>
  );
}
