import {
  ImagePlus,
  Palette,
  Pencil,
  RefreshCw,
  Share,
  SlidersHorizontal,
  Star,
  StarOff,
  Trash2,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { downloadName, type GenerationView } from '#contract';
import { type DeleteOutcomes, useDelete, useFavourite } from '#web/features/library/api.ts';
import type { ImageUses } from '#web/features/studio/studio.tsx';
import { createComponentCode } from '#web/lib/component-code.ts';
import { useTakes } from '#web/lib/generations.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { MenuButton } from '#web/ui/menu-button.tsx';
import type { MenuItem } from '#web/ui/menu-trigger.tsx';
import { useLoadedDialog } from '#web/ui/use-loaded-dialog.ts';
import { exportDialogCode } from './export-dialog-code.ts';

export interface ImageActionsProps extends DeleteOutcomes {
  view: GenerationView;
  uses: ImageUses;
}

/**
 * What a seller can do with a generation that has ended: with a finished image the most frequent as buttons, the rest in a
 * menu; without one, delete it.
 */
export function ImageActions({ view, uses, ...outcomes }: ImageActionsProps) {
  const favourite = useFavourite(view);
  const deletion = useDelete(view, outcomes);
  const { rename, renameDialog } = useRename(view);
  const { saveLook, saveLookDialog } = useSaveLook(view);
  if (!view.image) {
    return (
      <Button variant="secondary" onClick={deletion.remove} disabled={deletion.isPending}>
        <Trash2 aria-hidden className="size-4" />
        Delete
      </Button>
    );
  }
  const items: MenuItem[] = [
    {
      name: 'Run again with the same settings',
      Icon: RefreshCw,
      onSelect: () => uses.runAgain?.(),
      disabled: uses.runAgain === null,
    },
    {
      name: 'Use as photo',
      Icon: ImagePlus,
      onSelect: () => uses.addAsPhoto?.(),
      disabled: uses.addAsPhoto === null,
    },
    { name: 'Save as look', Icon: Palette, onSelect: saveLook },
    { name: 'Rename', Icon: Pencil, onSelect: rename },
    {
      name: view.favourite ? 'Remove from favourites' : 'Add to favourites',
      Icon: view.favourite ? StarOff : Star,
      onSelect: favourite.toggle,
      disabled: favourite.isPending,
    },
    { name: 'Delete', Icon: Trash2, onSelect: deletion.remove, disabled: deletion.isPending },
  ];
  return (
    <>
      <EditButton view={view} />
      <ExportButton view={view} />
      {view.edits && (
        <a
          href={view.image.downloadUrl}
          download={downloadName(view.productName, view.createdAt)}
          className={buttonClass('secondary')}
        >
          Download the original
        </a>
      )}
      <MenuButton label="More" items={items} />
      {renameDialog}
      {saveLookDialog}
    </>
  );
}

const editorCode = createComponentCode(async () => (await import('#web/features/editor/editor.tsx')).Editor);

/** Opens the editor of a finished image. Its code is loaded when the seller is about to open it. */
function EditButton({ view }: { view: GenerationView }) {
  const { Dialog: Editor, preload, show, close } = useLoadedDialog(editorCode);
  const { image } = view;
  if (!image) return null;
  return (
    <>
      <Button variant="secondary" onClick={show} onPointerEnter={preload} onFocus={preload}>
        <SlidersHorizontal aria-hidden className="size-4.5" />
        Edit
      </Button>
      {Editor && <Editor view={{ ...view, image }} onClose={close} />}
    </>
  );
}

/** Opens the export of a finished image and, in a set, of the others. */
function ExportButton({ view }: { view: GenerationView }) {
  const { Dialog, preload, show, close } = useLoadedDialog(exportDialogCode);
  const takes = useTakes(view.set.size > 1 ? view.set.id : null) ?? [view];
  const finished = takes.filter(({ image }) => image !== null);
  return (
    <>
      <Button variant="secondary" onClick={show} onPointerEnter={preload} onFocus={preload}>
        <Share aria-hidden className="size-4.5" />
        Export
      </Button>
      {Dialog && <Dialog images={finished} chosenFirst={view.id} onClose={close} />}
    </>
  );
}

const renameDialogCode = createComponentCode(
  async () => (await import('#web/features/library/rename-dialog.tsx')).RenameDialog,
);

/** The dialog that renames a generation, and what opens it. */
function useRename(view: GenerationView): { rename: () => void; renameDialog: ReactNode } {
  const { Dialog, show, close } = useLoadedDialog(renameDialogCode);
  return {
    rename: show,
    renameDialog: Dialog && <Dialog view={view} onClose={close} />,
  };
}

const saveLookDialogCode = createComponentCode(
  async () => (await import('#web/features/looks/save-look-dialog.tsx')).SaveLookDialog,
);

/** The dialog that saves a finished image as a look, and what opens it. */
function useSaveLook(view: GenerationView): { saveLook: () => void; saveLookDialog: ReactNode } {
  const { Dialog, show, close } = useLoadedDialog(saveLookDialogCode);
  return {
    saveLook: show,
    saveLookDialog: Dialog && <Dialog view={view} onClose={close} />,
  };
}
