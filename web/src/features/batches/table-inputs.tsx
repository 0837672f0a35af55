import clsx from 'clsx';
import { FileSpreadsheet, FolderOpen, ImagePlus } from 'lucide-react';
import { type ClipboardEvent, type ReactNode, useEffect, useEffectEvent, useId, useRef } from 'react';
import { acceptedPhotos, limits } from '#contract';
import { Button, textLinkClass } from '#web/ui/button.tsx';
import { FileInput, inputClass } from '#web/ui/field.tsx';
import { useFileDrop } from '#web/ui/use-file-drop.ts';
import { sampleTable } from './sample-table.ts';

interface TableInputsProps {
  /** Files that were dropped or chosen: photos and tables. */
  onFiles: (files: readonly File[]) => void;
  /** Cells that were pasted, as text. */
  onPaste: (text: string) => void;
  /** Whether there are products already: then the way in is small. */
  hasRows: boolean;
  children: ReactNode;
}

/** Where a seller drops, chooses or pastes photos and a table; around everything that files can be dropped on. */
export function TableInputs({ onFiles, onPaste, hasRows, children }: TableInputsProps) {
  const { getRootProps, isDragActive } = useFileDrop(onFiles);
  usePastedCells(onPaste);
  return (
    <div
      {...getRootProps()}
      className={clsx('rounded-card', isDragActive && 'outline-2 outline-offset-4 outline-accent')}
    >
      {!hasRows && (
        <div className="rounded-card border-2 border-dashed border-line-strong bg-surface p-5 sm:p-8">
          <Explanation />
          <div className="flex flex-wrap items-center gap-3">
            <PhotoButtons onFiles={onFiles} />
            <TableButton onFiles={onFiles} />
            <span className="text-sm text-ink-soft">or drop them anywhere here</span>
          </div>
          <PasteField onPaste={onPaste} />
        </div>
      )}
      {children}
    </div>
  );
}

/** Chooses a table. */
export function TableButton({ onFiles }: Pick<TableInputsProps, 'onFiles'>) {
  return (
    <FileButton
      label="Choose a table"
      accept=".csv,.tsv,.tab,.txt,.xlsx,.xlsm,text/csv,text/tab-separated-values"
      onFiles={onFiles}
    >
      <FileSpreadsheet aria-hidden className="size-4" />
    </FileButton>
  );
}

/** Buttons that choose photos, or a folder of them. */
export function PhotoButtons({ onFiles }: Pick<TableInputsProps, 'onFiles'>) {
  return (
    <>
      <FileButton label="Choose photos" accept={acceptedPhotos()} multiple onFiles={onFiles}>
        <ImagePlus aria-hidden className="size-4" />
      </FileButton>
      <FileButton label="Choose a folder" folder onFiles={onFiles}>
        <FolderOpen aria-hidden className="size-4" />
      </FileButton>
    </>
  );
}

function Explanation() {
  return (
    <div className="mb-5 grid max-w-prose gap-2 text-[0.9375rem]">
      <p className="font-semibold">Start with the photos of your products.</p>
      <p className="text-ink-soft">
        Photos become products by their names: <i>mug-1.jpg</i> and <i>mug-2.jpg</i> are two photos of{' '}
        <i>mug</i>. Up to {limits.photos} photos of each product, and {limits.batchRows} products.
      </p>
      <p className="text-ink-soft">
        A table is optional: CSV or XLSX, also the exports of Shopify, Amazon, Etsy and WooCommerce. It joins
        by SKU or by the names of the photos.{' '}
        <a
          href={`data:text/csv;charset=utf-8,${encodeURIComponent(`\ufeff${sampleTable()}`)}`}
          download="packshot-batch.csv"
          className={textLinkClass}
        >
          Download a sample
        </a>
      </p>
    </div>
  );
}

interface FileButtonProps {
  label: string;
  accept?: string;
  multiple?: boolean;
  folder?: boolean;
  onFiles: (files: readonly File[]) => void;
  /** An icon. */
  children: ReactNode;
}

function FileButton({ label, accept, multiple, folder, onFiles, children }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button variant="secondary" onClick={() => input.current?.click()} className="px-4! max-sm:text-sm!">
        {children}
        {label}
      </Button>
      <FileInput
        ref={input}
        hidden
        aria-label={label}
        accept={accept}
        multiple={multiple}
        onFiles={onFiles}
        {...(folder && { webkitdirectory: '' })}
      />
    </>
  );
}

/** Takes cells that are pasted; nothing is typed here. */
function PasteField({ onPaste }: Pick<TableInputsProps, 'onPaste'>) {
  const id = useId();
  const paste = (event: ClipboardEvent<HTMLTextAreaElement>) => {
    const text = event.clipboardData.getData('text/plain');
    if (text === '') return;
    event.preventDefault();
    onPaste(text);
  };
  return (
    <div className="mt-4">
      <label htmlFor={id} className="mb-1.5 block text-sm font-semibold">
        Paste from a spreadsheet
      </label>
      <textarea
        id={id}
        dir="auto"
        rows={1}
        placeholder="Paste the copied rows here"
        onPaste={paste}
        // Only pasting does something.
        value=""
        onChange={() => {}}
        className={`${inputClass} max-w-2xl resize-none py-2.5`}
      />
    </div>
  );
}

/** Takes cells of a spreadsheet that are pasted anywhere outside of a field. */
function usePastedCells(onPaste: (text: string) => void): void {
  const pasted = useEffectEvent((event: globalThis.ClipboardEvent) => {
    const text = event.clipboardData?.getData('text/plain') ?? '';
    const isField = event.target instanceof HTMLElement && event.target.matches('input, textarea, select');
    if (isField || !/[\t\n]/.test(text.trim()) || document.querySelector('[role=dialog]')) return;
    event.preventDefault();
    onPaste(text);
  });
  useEffect(() => {
    window.addEventListener('paste', pasted);
    return () => window.removeEventListener('paste', pasted);
  }, []);
}
