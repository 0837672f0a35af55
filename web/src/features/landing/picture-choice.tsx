import clsx from 'clsx';
import { Picture, type PictureSource } from '#web/ui/picture.tsx';

interface PictureChoiceProps<Value extends string> {
  legend: string;
  /** The name of the radio buttons. */
  name: string;
  options: readonly { value: Value; label: string; picture: PictureSource }[];
  value: Value;
  onChange: (value: Value) => void;
  /** Where the picture is: above its label in three columns, or beside it in two. */
  layout: 'above' | 'beside';
}

/** Radio buttons with a picture each. */
export function PictureChoice<Value extends string>({
  legend,
  name,
  options,
  value,
  onChange,
  layout,
}: PictureChoiceProps<Value>) {
  return (
    <fieldset>
      <legend className="mb-3 text-lg font-semibold">{legend}</legend>
      <div
        className={clsx(
          'grid gap-3',
          layout === 'above' ? 'grid-cols-3' : 'grid-cols-2 md:grid-cols-1 lg:grid-cols-2',
        )}
      >
        {options.map((option) => (
          <label
            key={option.value}
            className={clsx(
              layout === 'beside' && 'flex items-center',
              'relative overflow-hidden rounded-field border-2 border-line bg-surface transition-colors hover:border-line-strong has-checked:border-accent has-focus-visible:outline-[2.5px] has-focus-visible:outline-offset-2 has-focus-visible:outline-accent',
            )}
          >
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
              className="peer sr-only"
            />
            <Picture
              picture={option.picture}
              alt=""
              sizes={
                layout === 'above' ? '(min-width: 64rem) 10rem, 30vw' : '(min-width: 40rem) 4rem, 2.75rem'
              }
              className={clsx(
                'bg-sunken object-cover',
                layout === 'above'
                  ? 'aspect-4/3 w-full'
                  : 'h-full min-h-14 w-11 shrink-0 sm:min-h-16 sm:w-16',
              )}
            />
            <span className="block px-2 py-2 text-[0.8125rem] leading-snug font-medium text-ink-soft [overflow-wrap:break-word] peer-checked:text-ink lg:px-3 lg:text-sm">
              {option.label}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
