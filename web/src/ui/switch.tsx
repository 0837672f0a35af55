import { Switch as RadixSwitch } from 'radix-ui';

interface SwitchProps {
  id: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
  disabled?: boolean;
  describedBy?: string;
}

/** A switch without a label; the caller adds one. */
export function Switch({ id, checked, onChange, disabled, describedBy }: SwitchProps) {
  return (
    <RadixSwitch.Root
      id={id}
      checked={checked}
      onCheckedChange={onChange}
      disabled={disabled}
      aria-describedby={describedBy}
      className="relative h-7 w-12 shrink-0 rounded-full border border-line-strong bg-sunken transition-colors before:absolute before:-inset-2.5 disabled:cursor-not-allowed disabled:opacity-60 data-[state=checked]:border-accent data-[state=checked]:bg-accent"
    >
      <RadixSwitch.Thumb className="block size-5 translate-x-0.75 rounded-full bg-ink-soft transition-transform forced-colors:bg-[ButtonText] data-[state=checked]:translate-x-5.75 data-[state=checked]:bg-accent-ink forced-colors:data-[state=checked]:bg-[ButtonText]" />
    </RadixSwitch.Root>
  );
}
