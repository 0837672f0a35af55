import type { Mark } from '#contract';

/** Fills marks into a canvas in its current colour and mode. */
export function drawMarks(context: CanvasRenderingContext2D, marks: readonly Mark[]): void {
  context.lineCap = 'round';
  context.lineJoin = 'round';
  for (const mark of marks) {
    if (mark.kind === 'rectangle') {
      context.fillRect(mark.left, mark.top, mark.width, mark.height);
      continue;
    }
    const [first, ...rest] = mark.points;
    if (!first) continue;
    context.lineWidth = mark.width;
    context.beginPath();
    context.moveTo(first.x, first.y);
    // A click without a movement is a dot.
    for (const { x, y } of rest.length > 0 ? rest : [{ x: first.x + 0.01, y: first.y }]) context.lineTo(x, y);
    context.stroke();
  }
}
