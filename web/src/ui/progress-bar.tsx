type ProgressBarProps = {
  /** 0 to 1. */
  fraction: number;
} & ({ label: string } | { labelledBy: string });

/** A bar that shows how much is done. */
export function ProgressBar({ fraction, ...name }: ProgressBarProps) {
  const percent = Math.round(fraction * 100);
  return (
    <div
      role="progressbar"
      {...('label' in name ? { 'aria-label': name.label } : { 'aria-labelledby': name.labelledBy })}
      aria-valuenow={percent}
      aria-valuemin={0}
      aria-valuemax={100}
      className="h-2 overflow-hidden rounded-full bg-sunken forced-colors:outline"
    >
      <div
        className="h-full rounded-full bg-accent transition-[width] forced-colors:bg-[Highlight] forced-colors:forced-color-adjust-none"
        style={{ width: `${percent}%` }}
      />
    </div>
  );
}
