import { type DragEvent, useEffect, useEffectEvent } from 'react';
import { useDropzone } from 'react-dropzone';
import { toastError } from './toast-error.ts';

/**
 * Takes files that are dropped on an element or pasted anywhere on its page. Text, dropped or pasted, is left to the fields:
 * a cell of a spreadsheet has a picture of itself, which nobody means. While a dialog is open over the page, it takes nothing.
 * @returns what react-dropzone returns; `getRootProps` is for the element
 */
export function useFileDrop(onFiles: (files: File[]) => void) {
  usePastedFiles(onFiles);
  const dropzone = useDropzone({
    onDrop: (files) => {
      if (files.length > 0) onFiles(files);
    },
    noClick: true,
    noKeyboard: true,
    // It would take them as well.
    noPaste: true,
  });
  const getRootProps = () =>
    dropzone.getRootProps({
      role: undefined,
      tabIndex: undefined,
      onDragEnter: leaveText,
      onDragOver: leaveText,
      onDragLeave: leaveText,
      onDrop: (event: DragEvent) => {
        leaveText(event);
        if (isAddress(event)) toastError(addressText);
      },
    });
  return { ...dropzone, getRootProps };
}

const addressText = "Save the picture first, then add its file. An address can't be added.";

/**
 * Stops react-dropzone from taking what carries no file, and what is over a dialog, from which events come here as well. An
 * address may be dropped beside the fields, to be refused.
 */
function leaveText(event: DragEvent): void {
  const isHere = event.currentTarget.contains(event.target as Node);
  if (isHere && event.dataTransfer.types.includes('Files')) return;
  event.stopPropagation();
  if (isAddress(event)) event.preventDefault();
}

/** Whether a link or the picture of another page is over a place that takes no text. */
function isAddress({ target, dataTransfer: { types } }: DragEvent): boolean {
  return types.includes('text/uri-list') && !types.includes('Files') && !acceptsText(target);
}

/** Whether text can be put into this element. */
function acceptsText(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea'));
}

function usePastedFiles(onFiles: (files: File[]) => void): void {
  const pasted = useEffectEvent((event: ClipboardEvent) => {
    const data = event.clipboardData;
    const files = [...(data?.files ?? [])];
    if (data === null || files.length === 0 || hasText(data, files) || isDialogOpen()) return;
    event.preventDefault();
    onFiles(files);
  });
  useEffect(() => {
    window.addEventListener('paste', pasted);
    return () => window.removeEventListener('paste', pasted);
  }, []);
}

const isDialogOpen = () => document.querySelector('[role=dialog], [role=alertdialog]') !== null;

/** Whether there is text besides the names of the files, which some systems add to copied files. */
function hasText(data: DataTransfer, files: readonly File[]): boolean {
  const names = files.map(({ name }) => name);
  const lines = data
    .getData('text/plain')
    .split(/[\r\n]+/)
    .filter(Boolean);
  return lines.some((line) => !names.includes(line));
}
