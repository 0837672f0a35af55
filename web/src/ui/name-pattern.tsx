import { type ReactNode, useState } from 'react';
import { Field } from './field.tsx';
import { LabelledSelect } from './select.tsx';

interface NamePatternProps {
  /** Those that are offered. */
  patterns: readonly { value: string; label: string }[];
  value: string;
  onChange: (pattern: string) => void;
  /** Below the choice. @param isOwn whether the seller writes the pattern */
  renderHint: (isOwn: boolean) => ReactNode;
  /** Of the field in which the seller writes the pattern. */
  own: { maxLength: number; hint: ReactNode; error?: string | undefined };
}

const ownPattern = 'own';

/** The pattern of the names of files: one of those that are offered, or the seller's own. */
export function NamePattern({ patterns, value, onChange, renderHint, own }: NamePatternProps) {
  const [isOwn, setIsOwn] = useState(!patterns.some((pattern) => pattern.value === value));
  return (
    <>
      <LabelledSelect
        label="File names"
        value={isOwn ? ownPattern : value}
        options={[...patterns, { value: ownPattern, label: 'Your own pattern' }]}
        onChange={(chosen) => {
          setIsOwn(chosen === ownPattern);
          if (chosen !== ownPattern) onChange(chosen);
        }}
      >
        {renderHint(isOwn)}
      </LabelledSelect>
      {isOwn && (
        <Field label="Pattern" value={value} onChange={(event) => onChange(event.target.value)} {...own} />
      )}
    </>
  );
}
