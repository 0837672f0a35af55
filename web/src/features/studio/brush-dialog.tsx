import { Undo2 } from 'lucide-react';
import { type PointerEvent, useEffect, useRef, useState } from 'react';
import { type ChangeRequest, type GenerationView, latinDigits, limits, type Mark } from '#contract';
import { ApiError, messageOf } from '#web/lib/api.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogButtons } from '#web/ui/dialog.tsx';
import { Field } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { SubmitButton } from '#web/ui/submit-button.tsx';
import { addMark } from './simplify-marks.ts';

interface BrushDialogProps {
  image: NonNullable<GenerationView['image']>;
  /** What the seller has written already. */
  instruction: string;
  /** Whether a change is being sent. */
  busy: boolean;
  /** Why the last one was refused. */
  error: Error | null;
  onChange: (request: ChangeRequest) => void;
  onClose: () => void;
}

/** Marks an area of an image, and says what should be there. It is loaded when it is first opened. */
export function BrushDialog(props: BrushDialogProps) {
  const { image, instruction: entered, busy, error, onChange, onClose } = props;
  const [marks, setMarks] = useState<readonly Mark[]>([]);
  const [isFull, setIsFull] = useState(false);
  const [brushSize, setBrushSize] = useState(8);
  const [instruction, setInstruction] = useState(entered);
  const change = (changed: readonly Mark[] | null) => {
    setIsFull(changed === null);
    if (changed) setMarks(changed);
  };
  const add = (mark: Mark) => change(addMark(marks, mark));
  const isOfField = error instanceof ApiError && error.field === 'instruction';
  const ready = marks.length > 0 && instruction.trim() !== '';
  return (
    <Dialog
      open
      onClose={onClose}
      title="Mark an area"
      description="Paint over what should change. Everything else stays exactly as it is."
      wide
    >
      <form
        className="grid gap-5 md:grid-cols-[minmax(0,1fr)_18rem]"
        onSubmit={(event) => {
          event.preventDefault();
          if (ready && !busy) onChange({ instruction, marks: [...marks] });
        }}
      >
        <BrushCanvas
          image={image}
          marks={marks}
          // In per cent of the image's longer side.
          strokeWidth={(brushSize / 100) * Math.max(image.width, image.height)}
          onStroke={add}
        />
        <div className="grid content-start gap-4">
          <label className="grid gap-1.5 text-sm font-semibold">
            Brush size
            <input
              type="range"
              min={1}
              max={30}
              value={brushSize}
              onChange={({ target }) => setBrushSize(target.valueAsNumber)}
              className="min-h-11 accent-accent"
            />
          </label>
          <div className="flex gap-2">
            <Button
              variant="secondary"
              disabled={marks.length === 0}
              onClick={() => change(marks.slice(0, -1))}
            >
              <Undo2 aria-hidden className="size-4.5" />
              Undo
            </Button>
            <Button variant="quiet" disabled={marks.length === 0} onClick={() => change([])}>
              Clear
            </Button>
          </div>
          <RectangleFields image={image} onAdd={add} />
          <Field
            label="What should be there?"
            autoComplete="off"
            maxLength={limits.promptCharacters}
            value={instruction}
            onChange={({ target }) => setInstruction(target.value)}
            error={isOfField ? messageOf(error) : undefined}
            hint="Makes a new version of this image, and uses 1 image."
          />
          {isFull && (
            <Notice tone="info">
              One change can hold no more marks. Undo some, or make this change before the next one.
            </Notice>
          )}
          {error && !busy && !isOfField && <Notice tone="danger">{messageOf(error)}</Notice>}
          <DialogButtons>
            <Button variant="secondary" onClick={onClose}>
              Cancel
            </Button>
            <SubmitButton busy={busy} busyLabel="Sending..." disabled={!ready}>
              Make the change
            </SubmitButton>
          </DialogButtons>
        </div>
      </form>
    </Dialog>
  );
}

interface RectangleFieldsProps {
  image: { width: number; height: number };
  onAdd: (mark: Mark) => void;
}

const names = { left: 'Left', top: 'Top', width: 'Width', height: 'Height' } as const;
type Side = keyof typeof names;

/** Marks a rectangle by its position and size in pixels: the way without a pointer. */
function RectangleFields({ image, onAdd }: RectangleFieldsProps) {
  const [sides, setSides] = useState<Record<Side, string>>({
    left: '0',
    top: '0',
    width: String(Math.round(image.width / 2)),
    height: String(Math.round(image.height / 2)),
  });
  const mark = () => {
    const number = (side: Side, most: number) => Math.min(most, Math.max(0, Number(sides[side]) || 0));
    const left = number('left', image.width - 1);
    const top = number('top', image.height - 1);
    const width = Math.max(1, number('width', image.width - left));
    const height = Math.max(1, number('height', image.height - top));
    onAdd({ kind: 'rectangle', left, top, width, height });
  };
  return (
    <details className="text-sm">
      <summary className="min-h-11 content-center font-semibold">Mark a rectangle by numbers</summary>
      <div className="grid grid-cols-2 gap-2">
        {(Object.keys(names) as Side[]).map((side) => (
          <Field
            key={side}
            label={names[side]}
            inputMode="numeric"
            autoComplete="off"
            value={sides[side]}
            onChange={({ target }) =>
              setSides({ ...sides, [side]: latinDigits(target.value).replace(/\D/g, '') })
            }
          />
        ))}
      </div>
      <Button variant="secondary" className="mt-2" onClick={mark}>
        Mark rectangle
      </Button>
    </details>
  );
}

type Stroke = Extract<Mark, { kind: 'stroke' }>;

interface BrushCanvasProps {
  image: NonNullable<GenerationView['image']>;
  marks: readonly Mark[];
  /** In pixels of the image. */
  strokeWidth: number;
  onStroke: (stroke: Stroke) => void;
}

/** An image to paint on with a pointer: mouse, pen or finger. */
function BrushCanvas({ image, marks, strokeWidth, onStroke }: BrushCanvasProps) {
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
