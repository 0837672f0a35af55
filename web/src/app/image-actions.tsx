import {
  ChevronDown,
  Download,
  ImageDown,
  ImagePlus,
  Package,
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
import { downloadName, filePresets, type GenerationView, isOwnPresetId, isolateName } from '#contract';
import { type DeleteOutcomes, useDelete, useFavourite } from '#web/features/library/api.ts';
import { takeName } from '#web/features/studio/progress-text.ts';
import { takeButtonClass } from '#web/features/studio/set-view.tsx';
import type { ImageUses } from '#web/features/studio/studio.tsx';
import { useImageAsPhoto } from '#web/features/studio/use-image-as-photo.ts';
import { createComponentCode } from '#web/lib/component-code.ts';
import { findExportChoice, findRecentPresets } from '#web/lib/export-choice.ts';
import { useTakes } from '#web/lib/generations.ts';
import { useOwnPresets } from '#web/lib/own-presets.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { MenuButton } from '#web/ui/menu-button.tsx';
import type { MenuItem } from '#web/ui/menu-trigger.tsx';
import { useLoadedDialog } from '#web/ui/use-loaded-dialog.ts';
import { exportDialogCode } from './export-dialog-code.ts';
import { useQuickExport } from './quick-export.ts';

export interface ImageActionsProps extends DeleteOutcomes {
  view: GenerationView;
  uses: ImageUses;
  /** Further buttons, after those for the file. */
  children: ReactNode;
}

/**
 * What a seller can do with a generation that has ended: with a finished image the most frequent as buttons, the rest in
 * menus; without one, delete it.
 */
export function ImageActions({ view, uses, children, ...outcomes }: ImageActionsProps) {
  const favourite = useFavourite(view);
  const deletion = useDelete(view, outcomes);
  const { addAsPhoto, addingAsPhoto } = useImageAsPhoto(uses.formPhotos);
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
      onSelect: () => addAsPhoto(view),
      disabled: addingAsPhoto,
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
      <DownloadButton view={{ ...view, image: view.image }} />
      <EditButton view={view} className="px-4! max-sm:-order-2">
        <SlidersHorizontal aria-hidden className="size-4.5" />
        Edit
      </EditButton>
      {children}
      <MenuButton label="More" items={items} className="px-3.5! max-sm:-order-1" />
      {renameDialog}
      {saveLookDialog}
    </>
  );
}

const editorCode = createComponentCode(async () => (await import('#web/features/editor/editor.tsx')).Editor);

interface EditButtonProps {
  view: GenerationView;
  label?: string;
  className: string;
  children: ReactNode;
}

/** Opens the editor of a finished image. Its code is loaded when the seller is about to open it. */
function EditButton({ view, label, className, children }: EditButtonProps) {
  const { Dialog: Editor, preload, show, close } = useLoadedDialog(editorCode);
  const { image } = view;
  if (!image) return null;
  return (
    <>
      <Button
        variant="secondary"
        onClick={show}
        onPointerEnter={preload}
        onFocus={preload}
        aria-label={label}
        className={className}
      >
        {children}
      </Button>
      {Editor && <Editor view={{ ...view, image }} onClose={close} />}
    </>
  );
}

/** Opens the editor of a take of a set. On phones its word is for screen readers. */
export function TakeEditButton({ view }: { view: GenerationView }) {
  return (
    <EditButton view={view} label={`Edit ${takeName(view).toLowerCase()}`} className={takeButtonClass}>
      <SlidersHorizontal aria-hidden className="size-4 shrink-0" />
      <span className="max-sm:sr-only">Edit</span>
    </EditButton>
  );
}

type FinishedView = GenerationView & { image: NonNullable<GenerationView['image']> };

/** Downloads the finished image as PNG in one click, and in a menu as the files that were exported last, or any other. */
function DownloadButton({ view }: { view: FinishedView }) {
  const { Dialog, show, close } = useLoadedDialog(exportDialogCode);
  const image = view.edits ?? view.image;
  const name = downloadName(view.productName, view.createdAt);
  const takes = useTakes(view.set.size > 1 ? view.set.id : null) ?? [view];
  const usedIds = findRecentPresets();
  // One of them may be gone, or of another seller in this browser.
  const { data: own = [] } = useOwnPresets(usedIds.some(isOwnPresetId));
  const usedLast = filePresets(usedIds, own);
  const presets =
    usedLast.length > 0 ? usedLast : filePresets([...findExportChoice(), 'amazon-main'], own).slice(0, 1);
  const [first] = presets;
  const quick = useQuickExport(view, show);
  const items: MenuItem[] = [
    {
      name: `PNG, ${image.width} × ${image.height}`,
      hint: 'What the button gives you',
      Icon: ImageDown,
      href: image.downloadUrl,
      download: name,
    },
    ...(view.edits
      ? [{ name: 'Download the original', Icon: ImageDown, href: view.image.downloadUrl, download: name }]
      : []),
    ...presets.map(
      (preset, index): MenuItem => ({
        name: isolateName(preset.name),
        Icon: Package,
        onSelect: () => quick.save(preset),
        disabled: quick.isSaving,
        ...(index === 0 && { heading: usedLast.length > 0 ? 'Used last' : 'For a marketplace' }),
      }),
    ),
    { name: 'Export…', hint: 'Every format, with its rules', Icon: Share, onSelect: show },
  ];
  return (
    <>
      <span className="inline-flex max-sm:-order-2">
        <a
          href={image.downloadUrl}
          download={name}
          className={buttonClass('primary', 'rounded-r-none! pr-4!')}
        >
          <Download aria-hidden className="size-4.5" />
          Download
        </a>
        <MenuButton
          label="Other formats"
          Icon={ChevronDown}
          items={items}
          className="rounded-l-none! border-accent! border-l-accent-ink/40! bg-accent! px-3! text-accent-ink! hover:bg-accent-hover!"
        />
        {Dialog && (
          <Dialog
            images={takes.filter((take) => take.image !== null)}
            chosenFirst={view.id}
            onClose={close}
          />
        )}
      </span>
      {first && (
        <Button
          variant="secondary"
          aria-disabled={quick.isSaving}
          onClick={() => quick.save(first)}
          className="px-4! max-xl:hidden"
        >
          <Package aria-hidden className="size-4.5" />
          <span className="max-w-40 truncate">{isolateName(first.name)}</span>
        </Button>
      )}
    </>
  );
}

/** Exports all finished images of a set. */
export function SetActions({ takes }: { takes: readonly GenerationView[] }) {
  const { Dialog, preload, show, close } = useLoadedDialog(exportDialogCode);
  const finished = takes.filter(({ image }) => image !== null);
  if (finished.length === 0) return null;
  return (
    <>
      <Button onClick={show} onPointerEnter={preload} onFocus={preload}>
        <Package aria-hidden className="size-4.5" />
        Export all
      </Button>
      {Dialog && <Dialog images={finished} onClose={close} />}
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
