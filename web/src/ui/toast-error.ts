import { toast } from 'sonner';

const shown = new Map<string, string | number>();

/** Shows why something was refused. The same message again replaces the one that is shown, so that it is seen again. */
export function toastError(message: string): void {
  toast.dismiss(shown.get(message) ?? message);
  shown.set(message, toast.error(message));
}
