import clsx from 'clsx';
import { CircleAlert, CircleCheck, Info } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';

const looks = {
  danger: { Icon: CircleAlert, className: 'bg-danger-wash text-danger' },
  info: { Icon: Info, className: 'bg-accent-wash text-ink' },
  good: { Icon: CircleCheck, className: 'bg-good-wash text-good' },
} as const;

interface NoticeProps {
  tone: keyof typeof looks;
  /** Brings itself into sight when it appears. */
  inSight?: boolean;
  children: ReactNode;
}

/** A message in the flow of the page: `danger` is spoken at once, the others when there is time. */
export function Notice({ tone, inSight, children }: NoticeProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (inSight) box.current?.scrollIntoView({ block: 'center', behavior: 'smooth' });
  }, [inSight]);
  const { Icon, className } = looks[tone];
  return (
    <div
      ref={box}
      role={tone === 'danger' ? 'alert' : 'status'}
      className={clsx('flex items-start gap-2.5 rounded-field px-3.5 py-3 text-sm font-medium', className)}
    >
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0" />
      <div>{children}</div>
    </div>
  );
}
