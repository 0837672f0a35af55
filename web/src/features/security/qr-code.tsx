import clsx from 'clsx';
import { useMemo } from 'react';
import { encode } from 'uqr';

/** Width of the light border around a QR code in modules; the standard requires 4. */
const quietZone = 4;

/** A QR code: dark on white in both themes, because some scanners cannot read inverted codes. */
export function QrCode({ text, label, className }: { text: string; label: string; className?: string }) {
  const { size, path } = useMemo(() => {
    const code = encode(text, { border: quietZone, ecc: 'M' });
    const modules = code.data.flatMap((row, y) =>
      row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])),
    );
    return { size: code.size, path: modules.join('') };
  }, [text]);
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className={clsx('rounded-field border border-line', className)}
    >
      <rect width={size} height={size} fill="#ffffff" />
      <path d={path} fill="#000000" />
    </svg>
  );
}
