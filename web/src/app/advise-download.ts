import { toast } from 'sonner';

/** Says that the app whose browser this is may save no files, and what to do. */
export function adviseDownload(): void {
  const text =
    'The browser of this app may not save files. Open this page in your browser: choose “Open in browser” from the menu.';
  toast.info(text, { id: text, duration: Number.POSITIVE_INFINITY, closeButton: true });
}
