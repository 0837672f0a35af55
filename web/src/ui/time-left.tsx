import { useEffect, useState } from 'react';
import type { TimeLeft as Times } from '#contract';
import { serverNow } from '#web/lib/clock.ts';

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

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/**
 * How long something still takes, in words that hold: a range that becomes shorter, and no number any more once its end has
 * passed.
 * @param now the server's time in ms
 */
export function timeLeftText({ from, to }: Times, now: number): string {
  const [least, most] = [Date.parse(from) - now, Date.parse(to) - now];
  if (most <= 0) return 'Taking longer than usual';
  if (least < 5 * second) return `Less than ${rounded(most, Math.ceil)} left`;
  const [begin, end] = [rounded(least, Math.floor), rounded(most, Math.ceil)];
  if (begin === end) return `About ${end} left`;
  const [number, unit] = begin.split(' ');
  return `About ${end.endsWith(` ${unit}`) ? number : begin} to ${end} left`;
}

/** In steps of 5 s up to 90 s, then in minutes up to 2 h, then in hours. */
function rounded(ms: number, round: (value: number) => number): string {
  if (ms <= 90 * second) return `${Math.max(5, round(ms / (5 * second)) * 5)} s`;
  if (ms <= 2 * hour) return `${Math.max(1, round(ms / minute))} min`;
  return `${round(ms / hour)} h`;
}
