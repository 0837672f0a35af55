import { type GenerationView, splitTemplate } from '#contract';
import { Dialog } from '#web/ui/dialog.tsx';
import { createLook } from './api.ts';
import { LookForm } from './look-form.tsx';

interface SaveLookDialogProps {
  /** A finished image. */
  view: GenerationView;
  onClose: () => void;
}

/** Saves scene and options of a finished image as a look, with its small picture. */
export function SaveLookDialog({ view, onClose }: SaveLookDialogProps) {
  const { template = null, scene } = splitTemplate(view.prompt);
  const { seed: _, ...options } = view.options;
  return (
    <Dialog
      open
      onClose={onClose}
      title="Save as look"
      description="Keeps the scene and the options of this image, to use them for other products."
    >
      <LookForm
        initial={{ ...options, name: '', scene, template, numImages: view.set.size, exportPresets: [] }}
        save={(look) => createLook({ ...options, ...look, pictureOf: view.id })}
        onClose={onClose}
      />
    </Dialog>
  );
}
