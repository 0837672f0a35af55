import { type PointerEvent, useEffect, useRef, useState } from 'react';
import type { GenerationView, Mark } from '#contract';

type Stroke = Extract<Mark, { kind: 'stroke' }>;

interface BrushCanvasProps {
  image: NonNullable<GenerationView['image']>;
  marks: readonly Mark[];
  /** In pixels of the image. */
  strokeWidth: number;
  onStroke: (stroke: Stroke) => void;
}

/** An image to paint on with a pointer: mouse, pen or finger. */
export function BrushCanvas({ image, marks, strokeWidth, onStroke }: BrushCanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  /** The stroke that is being painted. */
  const [stroke, setStroke] = useState<Stroke | null>(null);

  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!context) return;
    context.clearRect(0, 0, image.width, image.height);
    // One colour, made translucent by the canvas's own opacity: strokes that cross do not get darker.
    context.fillStyle = '#e0531f';
    context.strokeStyle = '#e0531f';
    drawMarks(context, stroke ? [...marks, stroke] : marks);
  }, [image, marks, stroke]);

  const pointOf = ({ currentTarget, clientX, clientY }: PointerEvent<HTMLCanvasElement>) => {
    const box = currentTarget.getBoundingClientRect();
    return {
      x: ((clientX - box.left) / box.width) * image.width,
      y: ((clientY - box.top) / box.height) * image.height,
    };
  };
  const end = () => {
    if (stroke) onStroke(stroke);
    setStroke(null);
  };

  return (
    <div
      style={{ aspectRatio: `${image.width} / ${image.height}` }}
      className="sweep relative mx-auto max-h-[62dvh] max-w-full overflow-hidden rounded-card"
    >
      <img src={image.url} alt="To be changed" className="size-full object-contain" />
      <canvas
        ref={canvas}
        width={image.width}
        height={image.height}
        aria-label="Paint over what should change"
        className="absolute inset-0 size-full cursor-crosshair touch-none opacity-55"
        onPointerDown={(event) => {
          // Another finger beside the first one paints nothing.
          if (event.button !== 0 || !event.isPrimary) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          setStroke({ kind: 'stroke', width: strokeWidth, points: [pointOf(event)] });
        }}
        onPointerMove={(event) => {
          if (!stroke || !event.isPrimary) return;
          const point = pointOf(event);
          // Several may come before the next rendering.
          setStroke((current) => current && { ...current, points: [...current.points, point] });
        }}
        onPointerUp={end}
        onPointerCancel={end}
      />
    </div>
  );
}

/** Fills marks into a canvas in its current colour and mode. */
function drawMarks(context: CanvasRenderingContext2D, marks: readonly Mark[]): void {
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
