import { useEffect, useState } from 'react';
import type { TimeLeft as Times } from '#contract';
import { serverNow } from '#web/lib/clock.ts';
import { timeLeftText } from './time-left-text.ts';

/** The server's time, read again every second. */
export function useServerNow(): number {
  const [now, setNow] = useState(serverNow);
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/** How long something still takes, updated every second; screen readers, which would announce each update, get the first. */
export function TimeLeft({ times }: { times: Times }) {
  const text = timeLeftText(times, useServerNow());
  const [first] = useState(text);
  return (
    <>
      <span aria-hidden className="tabular-nums">
        {text}
      </span>
      <span className="sr-only">{first}</span>
    </>
  );
}
