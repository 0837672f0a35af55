import { FileSpreadsheet, FolderOpen, ImagePlus } from 'lucide-react';
import { type ChangeEvent, type ClipboardEvent, type ReactNode, useId, useRef } from 'react';
import { acceptedPhotos, limits } from '#contract';
import { Button, textLinkClass } from '#web/ui/button.tsx';
import { inputClass } from '#web/ui/field.tsx';
import { useFileDrop } from '#web/ui/use-file-drop.ts';
import { sampleTable } from './sample-table.ts';

interface TableInputsProps {
  /** Files that were dropped or chosen: tables and photos. */
  onFiles: (files: readonly File[]) => void;
  /** Cells that were pasted, as text. */
  onPaste: (text: string) => void;
  /** Whether there are rows already: the explanation is left out then. */
  hasRows: boolean;
  children: ReactNode;
}

/** Where a seller drops, chooses or pastes a table and its photos; around everything that files can be dropped on. */
export function TableInputs({ onFiles, onPaste, hasRows, children }: TableInputsProps) {
  const { getRootProps, isDragActive } = useFileDrop(onFiles);
  return (
    <div {...getRootProps()}>
      <div
        className={`rounded-card border-2 border-dashed p-5 sm:p-7 ${isDragActive ? 'border-accent bg-accent-wash' : 'border-line-strong bg-surface'}`}
      >
        {!hasRows && <Explanation />}
        <div className="flex flex-wrap items-center gap-3">
          <FileButton label="Choose a table" accept=".csv,.tsv,.txt,text/csv" onFiles={onFiles}>
            <FileSpreadsheet aria-hidden className="size-4" />
          </FileButton>
          <PhotoButtons onFiles={onFiles} />
          <span className="text-sm text-ink-soft">or drop them anywhere here</span>
        </div>
        <PasteField onPaste={onPaste} />
      </div>
      {children}
    </div>
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
      <p className="font-semibold">Start with a table of your products, one row each, and their photos.</p>
      <p className="text-ink-soft">
        Save it as CSV, or copy the rows in your spreadsheet and paste them below. The first row names the
        columns: sku, name, photos, scene or look, template, size and takes. Photos are the names of the
        files, up to {limits.photos} in a row. Up to {limits.batchRows} rows.
      </p>
      <p>
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
  const choose = (event: ChangeEvent<HTMLInputElement>) => {
    onFiles([...(event.target.files ?? [])]);
    // So that the same file can be chosen again.
    event.target.value = '';
  };
  return (
    <>
      <Button variant="secondary" onClick={() => input.current?.click()}>
        {children}
        {label}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={label}
        accept={accept}
        multiple={multiple}
        onChange={choose}
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
