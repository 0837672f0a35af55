import { useEffect, useState } from 'react';

const importLines = () => import('./photo-warning-lines.tsx');
type Lines = Awaited<ReturnType<typeof importLines>>;

/**
 * The components that show warnings of photos, which few visits need. They are advice: if they cannot be loaded, nothing is
 * shown.
 * @param wanted they are loaded once this is true
 */
export function usePhotoWarningLines(wanted: boolean): Lines | undefined {
  const [lines, setLines] = useState<Lines>();
  useEffect(() => {
    if (wanted) importLines().then(setLines, () => {});
  }, [wanted]);
  return lines;
}
