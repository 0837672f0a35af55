import type { ComponentProps } from 'react';

/**
 * A field that people do not see, reach or hear. Programs that fill in every field fill in this one, and the server drops
 * their message.
 */
export function HoneypotField(input: ComponentProps<'input'>) {
  return (
    <div aria-hidden className="absolute -left-[9999px] size-px overflow-hidden">
      <label>
        Website
        <input type="text" tabIndex={-1} autoComplete="off" {...input} />
      </label>
    </div>
  );
}
