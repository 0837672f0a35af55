import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { toast } from 'sonner';
import { Button } from './button.tsx';

/** Copies a text. @param otherwise what to do where the browser does not allow it */
export function CopyButton({ text, otherwise }: { text: string; otherwise: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
    } catch {
      // The browser denied access to the clipboard.
      toast.error(`Your browser doesn't allow copying. ${otherwise}`);
    }
  };
  return (
    <Button variant="secondary" onClick={copy}>
      {copied ? <Check aria-hidden className="size-4.5" /> : <Copy aria-hidden className="size-4.5" />}
      <span aria-live="polite">{copied ? 'Copied' : 'Copy'}</span>
    </Button>
  );
}
