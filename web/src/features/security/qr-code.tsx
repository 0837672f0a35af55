import clsx from 'clsx';
import { useMemo } from 'react';
import { encode } from 'uqr';

/** Light modules around a QR code, as many as its standard asks for. */
const quietZone = 4;

/** A text as a QR code: dark on white in both themes, since not every scanner reads it the other way round. */
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
