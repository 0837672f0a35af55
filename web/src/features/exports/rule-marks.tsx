import clsx from 'clsx';
import { CircleX, Ruler, Scan } from 'lucide-react';
import type { CSSProperties } from 'react';
import type { ExportCheck, RuleMark } from '#contract';

/** How each kind of mark looks, on pictures of any colour and in any theme, forced colours as well: by its line and its icon, too. */
const kinds = {
  wanted: {
    Icon: Ruler,
    line: 'border-2 border-dashed border-[#1d4e89]',
    label: 'rule-label-wanted bg-[#1d4e89]',
  },
  measured: { Icon: Scan, line: 'border-2 border-[#17120c]', label: 'rule-label-measured bg-[#17120c]' },
  failing: {
    Icon: CircleX,
    line: 'rule-hatch border-3 border-double border-[#a8201a]',
    label: 'rule-label-failing bg-[#a8201a]',
  },
} as const;

interface RuleMarksProps {
  rules: ExportCheck['rules'];
  /** Where the file is in its frame, and pixels of the frame for one of the file, without zoom. */
  origin: { left: number; top: number };
  scale: number;
}

/**
 * The marks of a file over its picture. The element around them has `--x`, `--y` and `--zoom`: how the picture is moved and
 * zoomed. Lines and texts keep their size, and a text stays in the frame as long as its place is.
 */
export function RuleMarks({ rules, origin, scale }: RuleMarksProps) {
  const marks = rules.flatMap(({ name, needed, marks }) => marks.map((mark) => ({ name, needed, mark })));
  return (
    <ul aria-label="Rule marks" className="forced-color-adjust-none">
      {marks.map(({ name, needed, mark }, index) => (
        <Mark
          key={`${name} ${needed} ${mark.kind} ${mark.left} ${mark.top} ${mark.width} ${mark.height}`}
          rule={name}
          mark={mark}
          isRepeated={marks.slice(0, index).some((earlier) => isSameEdge(earlier.mark, mark))}
          origin={origin}
          scale={scale}
        />
      ))}
    </ul>
  );
}

/** Whether two marks say the same of one edge: their texts would lie over each other. A strip along an edge is longer than thick. */
export const isSameEdge = (first: RuleMark, second: RuleMark) =>
  first.label === second.label &&
  (second.width >= second.height
    ? first.top === second.top && first.height === second.height
    : first.left === second.left && first.width === second.width);

interface MarkProps extends Omit<RuleMarksProps, 'rules'> {
  /** What the rule is about. */
  rule: string;
  mark: RuleMark;
  /** Whether its text stands beside another one already. */
  isRepeated: boolean;
}

function Mark({ rule, mark, isRepeated, origin, scale }: MarkProps) {
  const { kind, label } = mark;
  const { Icon, line, label: labelClass } = kinds[kind];
  const place = {
    '--left': `calc(var(--x) + var(--zoom) * ${origin.left + mark.left * scale}px)`,
    '--top': `calc(var(--y) + var(--zoom) * ${origin.top + mark.top * scale}px)`,
    '--width': `calc(var(--zoom) * ${mark.width * scale}px)`,
    '--height': `calc(var(--zoom) * ${mark.height * scale}px)`,
    // At the edge of the file are the texts of what fails there.
    '--below': mark.top === 0 ? '2.75rem' : '0.375rem',
  } as CSSProperties;
  return (
    <li style={place}>
      <span
        aria-hidden
        data-mark={kind}
        className={clsx(
          'absolute top-(--top) left-(--left) h-(--height) w-(--width) outline-1 outline-[#fffdf9cc]',
          line,
        )}
      />
      <span className={isRepeated ? 'sr-only' : clsx('rule-label', labelClass)}>
        <Icon aria-hidden className="size-3.5 shrink-0" />
        <span>
          <span className="sr-only">
            {rule}, {kind === 'failing' ? 'fails' : kind}:{' '}
          </span>
          {label}
        </span>
      </span>
    </li>
  );
}
