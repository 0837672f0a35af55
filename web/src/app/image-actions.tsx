import { ImagePlus, Palette, Pencil, RefreshCw, Star, StarOff, Trash2 } from 'lucide-react';
import { downloadName, type GenerationView } from '#contract';
import { type DeleteOutcomes, useDelete, useFavourite } from '#web/features/library/api.ts';
import type { ImageUses } from '#web/features/studio/studio.tsx';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { MenuButton } from '#web/ui/menu-button.tsx';
import type { MenuItem } from '#web/ui/menu-trigger.tsx';
import { EditButton } from './edit-button.tsx';
import { ExportButton } from './export-button.tsx';
import { useRename } from './use-rename.tsx';
import { useSaveLook } from './use-save-look.tsx';

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
