import { Tabs } from 'radix-ui';
import { useEffect, useRef, useState } from 'react';
import { editGeometry, type GenerationView } from '#contract';
import type { EditPixels } from '#contract/edit-geometry.ts';
import type { EditCrop, EditRecipe } from '#contract/edit-recipe.ts';
import { useLeaveGuard } from '#web/lib/use-leave-guard.ts';
import { ConfirmDialog, Dialog } from '#web/ui/dialog.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { ColourControls, CropControls, TurnControls } from './controls.tsx';
import { CropView } from './crop-view.tsx';
import { centredCrop } from './crops.ts';
import { EditorButtons } from './editor-buttons.tsx';
import { drawEdited } from './preview.ts';
import { useEditing } from './use-editing.ts';
import { useImagePixels, useProduct } from './use-image-pixels.ts';

interface EditorProps {
  /** Of a finished image. */
  view: GenerationView & { image: NonNullable<GenerationView['image']> };
  onClose: () => void;
}

const tabs = [
  ['crop', 'Crop'],
  ['turn', 'Turn'],
  ['colours', 'Colours'],
] as const;

const withoutPreview = {
  'not-loaded': 'The image could not be loaded. Please try again.',
  'not-given':
    "Your browser's privacy settings keep us from showing the image here. Your edits are applied to it all the same; allow canvas for this site to see them.",
};

/** Edits a finished image, with a live preview. The image itself stays as it is. It is loaded when it is first opened. */
export function Editor({ view, onClose }: EditorProps) {
  const editing = useEditing(view, onClose);
  const { recipe, dispatch, isChanged } = editing;
  const [asksToLeave, setAsksToLeave] = useState(false);
  const [tab, setTab] = useState<string>('crop');
  const [ratio, setRatio] = useState<number | null>(null);
  const pixels = useImagePixels(view.image.url);
  const product = useProduct(view.image.url, pixels, recipe.whiteBackground);
  const whole = editGeometry(view.image, { ...recipe, crop: null });
  const size = editGeometry(view.image, recipe);

  const leave = () => (isChanged ? setAsksToLeave(true) : onClose());
  const end = () => dispatch({ kind: 'end' });
  const changeCrop = (crop: EditCrop | null, control?: string) =>
    dispatch({ kind: 'change', change: { crop }, ...(control !== undefined && { control }) });
  const chooseRatio = (chosen: number | null) => {
    setRatio(chosen);
    if (chosen !== null) changeCrop(centredCrop(whole, chosen));
  };

  return (
    <Dialog open onClose={leave} title="Edit image" wide>
      {(editing.canUndo || editing.canRedo) && <LeaveGuard onBack={leave} />}
      {editing.hadConflict && (
        <div className="mb-4">
          <Notice tone="danger" scrollIntoView>
            This image was edited in another window. You see those edits now. Undo brings back yours.
          </Notice>
        </div>
      )}
      <Tabs.Root
        value={tab}
        onValueChange={setTab}
        className="grid gap-4 md:grid-cols-[minmax(0,1fr)_18rem] md:gap-6"
      >
        <div // On a phone it stays in view while a slider below it is moved.
          className="sweep sticky top-0 z-10 h-[40dvh] min-h-52 self-start overflow-hidden rounded-card md:static md:h-[min(62dvh,40rem)]"
        >
          {(pixels === undefined || typeof pixels === 'string') && (
            <div className="grid size-full place-items-center p-5">
              {pixels === undefined ? <Spinner className="text-accent" /> : <p>{withoutPreview[pixels]}</p>}
            </div>
          )}
          {typeof pixels === 'object' &&
            (tab === 'crop' ? (
              <CropView pixels={pixels} recipe={recipe} ratio={ratio} onChange={changeCrop} onEnd={end} />
            ) : (
              <EditedCanvas pixels={pixels} recipe={recipe} product={product} />
            ))}
        </div>
        <div className="flex flex-col">
          <Tabs.List aria-label="Tools" className="flex gap-1 border-b border-line">
            {tabs.map(([value, name]) => (
              <Tabs.Trigger
                key={value}
                value={value}
                className="-mb-px min-h-11 flex-1 border-b-2 border-transparent forced-colors:border-[color:Canvas] px-2 text-sm font-semibold text-ink-soft hover:text-ink data-[state=active]:border-accent data-[state=active]:text-ink"
              >
                {name}
              </Tabs.Trigger>
            ))}
          </Tabs.List>
          <div className="min-h-44 flex-1 pt-4">
            <Tabs.Content value="crop" tabIndex={-1}>
              <CropControls
                crop={recipe.crop}
                size={whole}
                ratio={ratio}
                onRatio={chooseRatio}
                onChange={changeCrop}
                onEnd={end}
              />
            </Tabs.Content>
            <Tabs.Content value="turn" tabIndex={-1}>
              <TurnControls recipe={recipe} dispatch={dispatch} />
            </Tabs.Content>
            <Tabs.Content value="colours" tabIndex={-1}>
              <ColourControls recipe={recipe} dispatch={dispatch} />
            </Tabs.Content>
          </div>
          <p className="mt-3 text-sm text-ink-soft tabular-nums">
            {size.width} × {size.height} px
          </p>
          <EditorButtons
            editing={editing}
            // The frame of another recipe may have another ratio.
            onStep={() => setRatio(null)}
            onCancel={leave}
          />
        </div>
      </Tabs.Root>
      <ConfirmDialog
        open={asksToLeave}
        title="Discard your edits?"
        description="They are not saved. The image stays as it was before."
        label="Discard"
        cancelLabel="Keep editing"
        onConfirm={onClose}
        onClose={() => setAsksToLeave(false)}
      />
    </Dialog>
  );
}

/** As long as it is shown, leaving the page asks first. */
function LeaveGuard({ onBack }: { onBack: () => void }) {
  useLeaveGuard(onBack);
  return null;
}

interface EditedCanvasProps {
  pixels: EditPixels;
  recipe: EditRecipe;
  /** Until it is loaded, the background stays as it is. */
  product: EditPixels | null | undefined;
}

/** The image as edited by a recipe; drawn at most once a frame. */
function EditedCanvas({ pixels, recipe, product }: EditedCanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const shown = product === undefined ? { ...recipe, whiteBackground: false } : recipe;
    const frame = requestAnimationFrame(() => {
      if (canvas.current) drawEdited(canvas.current, pixels, shown, product ?? undefined);
    });
    return () => cancelAnimationFrame(frame);
  }, [pixels, recipe, product]);
  return (
    <canvas ref={canvas} role="img" aria-label="The edited image" className="size-full object-contain" />
  );
}
