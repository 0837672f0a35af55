import clsx from 'clsx';

interface CheckGroupProps<Value extends string> {
  legend: string;
  options: readonly { value: Value; label: string }[];
  chosen: readonly Value[];
  /** One below the other on every screen; two beside each other on those of medium width unless given. */
  columns?: 1;
  /** Called with the chosen options in their order. */
  onChange: (chosen: Value[]) => void;
}

/** A group of checkboxes. */
export function CheckGroup<Value extends string>({
  legend,
  options,
  chosen,
  columns,
  onChange,
}: CheckGroupProps<Value>) {
  const toggle = (value: Value) =>
    onChange(
      options
        .map((option) => option.value)
        .filter((option) => (option === value) !== chosen.includes(option)),
    );
  return (
    <fieldset>
      <legend className="text-sm font-semibold">{legend}</legend>
      <div className={clsx('mt-1 grid', columns !== 1 && 'sm:grid-cols-2 md:grid-cols-1')}>
        {options.map(({ value, label }) => (
          <label key={value} className="flex min-h-11 cursor-pointer items-center gap-3">
            <input
              type="checkbox"
              className="size-5 shrink-0 accent-accent"
              checked={chosen.includes(value)}
              onChange={() => toggle(value)}
            />
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
