import { usePage } from '#web/lib/page.ts';

/** The heading of one of the operator's pages. */
export function OperatorHeading({ children }: { children: string }) {
  const heading = usePage(`${children} · Operator`);
  return (
    <h1
      ref={heading}
      tabIndex={-1}
      className="text-xl font-semibold break-words lg:flex lg:min-h-11 lg:items-center"
    >
      {children}
    </h1>
  );
}
