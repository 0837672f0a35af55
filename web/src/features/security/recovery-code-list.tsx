import { Download } from 'lucide-react';
import { useLeaveGuard } from '#web/lib/use-leave-guard.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { DialogButtons } from '#web/ui/dialog.tsx';

/** The content of the file to download. */
function fileContent(codes: readonly string[]): string {
  return `Packshot recovery codes. Each works once in place of a code from your app.\n\n${codes.join('\n')}\n`;
}

/** Recovery codes, which are shown only once, with buttons to copy and download them. */
export function RecoveryCodeList({ codes, onSaved }: { codes: readonly string[]; onSaved: () => void }) {
  useLeaveGuard();
  return (
    <>
      <ul
        aria-label="Recovery codes"
        translate="no"
        className="grid grid-cols-1 gap-x-6 gap-y-1.5 rounded-field bg-sunken p-4 font-mono text-[0.9375rem] select-all min-[26rem]:grid-cols-2"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="mt-3 flex flex-wrap gap-2">
        <CopyButton text={codes.join('\n')} otherwise="Please download the codes instead." />
        <a
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(fileContent(codes))}`}
          download="packshot-recovery-codes.txt"
          className={buttonClass('secondary')}
        >
          <Download aria-hidden className="size-4.5" />
          Download
        </a>
      </div>
      <DialogButtons>
        <Button onClick={onSaved}>I've saved them</Button>
      </DialogButtons>
    </>
  );
}
