import { Undo2 } from 'lucide-react';
import { useState } from 'react';
import { type ChangeRequest, type GenerationView, limits } from '#contract';
import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogButtons } from '#web/ui/dialog.tsx';
import { Field } from '#web/ui/field.tsx';
import { BrushCanvas } from './brush-canvas.tsx';
import { type Mark, maskOf } from './mask.ts';
import { RectangleFields } from './rectangle-fields.tsx';

interface BrushDialogProps {
  image: NonNullable<GenerationView['image']>;
  /** What the seller has written already. */
  instruction: string;
  onChange: (request: ChangeRequest) => void;
  onClose: () => void;
}

/** Marks an area of an image, and says what should be there. It is loaded when it is first opened. */
export function BrushDialog({ image, instruction: entered, onChange, onClose }: BrushDialogProps) {
  const [marks, setMarks] = useState<readonly Mark[]>([]);
  const [brushSize, setBrushSize] = useState(8);
  const [instruction, setInstruction] = useState(entered);
  const add = (mark: Mark) => setMarks((current) => [...current, mark]);
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
          if (ready) onChange({ instruction, mask: maskOf(marks, image) });
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
              onClick={() => setMarks(marks.slice(0, -1))}
            >
              <Undo2 aria-hidden className="size-4.5" />
              Undo
            </Button>
            <Button variant="quiet" disabled={marks.length === 0} onClick={() => setMarks([])}>
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
            hint="Makes a new version of this image, and uses 1 image."
          />
          <DialogButtons>
            <Button variant="secondary" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" disabled={!ready}>
              Make the change
            </Button>
          </DialogButtons>
        </div>
      </form>
    </Dialog>
  );
}
