import { useEffect, useRef } from 'react';
import type { EditPixels } from '#contract/edit-pixels.ts';
import type { EditRecipe } from '#contract/edit-recipe.ts';
import { drawEdited } from './preview.ts';

/** The image as edited by a recipe; drawn at most once a frame. */
export function EditedCanvas({ pixels, recipe }: { pixels: EditPixels; recipe: EditRecipe }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const frame = requestAnimationFrame(() => {
      if (canvas.current) drawEdited(canvas.current, pixels, recipe);
    });
    return () => cancelAnimationFrame(frame);
  }, [pixels, recipe]);
  return (
    <canvas ref={canvas} role="img" aria-label="The edited image" className="size-full object-contain" />
  );
}
