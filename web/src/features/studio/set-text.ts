import { type GenerationView, hasEnded } from '#contract';

/** Whether any of a set's takes is still being made. */
export function isSetPending(takes: readonly GenerationView[]): boolean {
  return takes.some(({ state }) => !hasEnded(state));
}

/** The heading of the main area for a set. */
export function headingOfSet(takes: readonly GenerationView[]): string {
  if (isSetPending(takes)) return 'Creating your product visualizations...';
  return takes[0]?.productName || 'Your product images';
}

/**
 * How far a set is, for sellers who see it and for those who hear it. It changes only when a take ends.
 * @returns for example `2 of 4 images ready, 1 failed`
 */
export function progressOfSet(takes: readonly GenerationView[]): string {
  const count = (state: GenerationView['state']) => takes.filter((take) => take.state === state).length;
  const [failed, cancelled] = [count('failed'), count('cancelled')];
  return [
    `${count('succeeded')} of ${takes.length} images ready`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(cancelled > 0 ? [`${cancelled} cancelled`] : []),
  ].join(', ');
}

/** How a take of a set is named: `Image 2 of 4`. */
export function takeName({ set }: Pick<GenerationView, 'set'>): string {
  return `Image ${set.index + 1} of ${set.size}`;
}
