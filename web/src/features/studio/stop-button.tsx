import { useEffect, useState } from 'react';
import { Button } from '#web/ui/button.tsx';

/** Time after a change of the button's label in which clicks are ignored. */
const labelChangeDelayMs = 1_000;

interface StopButtonProps {
  /** Whether stopping now uses an image: a preview is shown. */
  usesImage: boolean;
  stopping: boolean;
  /** For a narrow place. */
  compact?: boolean;
  /** @param useImage whether the label said that it uses an image */
  onStop: (useImage: boolean) => void;
}

/**
 * Cancels a generation: free before its first preview, afterwards it uses an image. The label changes when the preview
 * comes; a click right after that may have been meant for the old label, so it is ignored.
 */
export function StopButton({ usesImage, stopping, compact, onStop }: StopButtonProps) {
  const [confirmed, setConfirmed] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setConfirmed(usesImage), usesImage ? labelChangeDelayMs : 0);
    return () => clearTimeout(timer);
  }, [usesImage]);
  const ready = !usesImage || confirmed;
  const [label, busyLabel] = usesImage
    ? ['Stop and use 1 image', 'Stopping...']
    : ['Cancel', 'Cancelling...'];
  return (
    <Button
      variant="secondary"
      onClick={() => ready && onStop(usesImage)}
      aria-disabled={!ready}
      disabled={stopping}
      {...(compact && { className: 'px-3! text-sm! whitespace-normal!' })}
    >
      {stopping ? busyLabel : label}
    </Button>
  );
}
