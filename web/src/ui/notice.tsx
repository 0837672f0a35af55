import clsx from 'clsx';
import { CircleAlert, CircleCheck, Info } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';

const tones = {
  danger: { Icon: CircleAlert, className: 'bg-danger-wash text-danger' },
  info: { Icon: Info, className: 'bg-accent-wash text-ink' },
  good: { Icon: CircleCheck, className: 'bg-good-wash text-good' },
} as const;

interface NoticeProps {
  tone: keyof typeof tones;
  /** Scrolls itself into view when it appears. */
  scrollIntoView?: boolean;
  children: ReactNode;
}

/** A message in the page: screen readers announce `danger` at once, the other tones when they are idle. */
export function Notice({ tone, scrollIntoView, children }: NoticeProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (scrollIntoView) box.current?.scrollIntoView({ block: 'center', behavior: 'smooth' });
  }, [scrollIntoView]);
  const { Icon, className } = tones[tone];
  return (
    <div
      ref={box}
      role={tone === 'danger' ? 'alert' : 'status'}
      className={clsx(
        'flex animate-fade-in items-start gap-2.5 rounded-field px-3.5 py-3 text-sm font-medium',
        className,
      )}
    >
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0" />
      <div>{children}</div>
    </div>
  );
}
