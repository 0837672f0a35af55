/** What the seller marked: a stroke of the brush, or a rectangle. In pixels of the image. */
export type Mark =
  | { kind: 'stroke'; width: number; points: readonly { x: number; y: number }[] }
  | { kind: 'rectangle'; left: number; top: number; width: number; height: number };

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

/** The mask of a change, as base64: a PNG of the image's size that is transparent where it was marked. */
export function maskOf(marks: readonly Mark[], { width, height }: { width: number; height: number }): string {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d')!;
  context.fillRect(0, 0, width, height);
  context.globalCompositeOperation = 'destination-out';
  drawMarks(context, marks);
  const address = canvas.toDataURL('image/png');
  return address.slice(address.indexOf(',') + 1);
}
