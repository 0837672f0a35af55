import { useEffect, useState } from 'react';
import { Button } from '#web/ui/button.tsx';

/** Time for which what the button does must have stood on it before a click counts, in ms. */
const settlingMs = 1_000;

interface StopButtonProps {
  /** Whether stopping now uses the image: a preview is on show. */
  usesImage: boolean;
  stopping: boolean;
  /** @param useImage whether the button said that it uses the image */
  onStop: (useImage: boolean) => void;
}

/**
 * Ends a generation: free before its first preview, then it uses the image. The words change by themselves, so a click
 * right after that may have been meant for the ones before, and does nothing.
 */
export function StopButton({ usesImage, stopping, onStop }: StopButtonProps) {
  const [settled, setSettled] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(usesImage), usesImage ? settlingMs : 0);
    return () => clearTimeout(timer);
  }, [usesImage]);
  const ready = !usesImage || settled;
  const words = usesImage ? ['Stop and use 1 image', 'Stopping...'] : ['Cancel', 'Cancelling...'];
  return (
    <Button
      look="secondary"
      onClick={() => ready && onStop(usesImage)}
      aria-disabled={!ready}
      disabled={stopping}
    >
      {words[stopping ? 1 : 0]}
    </Button>
  );
}
