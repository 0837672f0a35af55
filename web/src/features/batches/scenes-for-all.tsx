import { useState } from 'react';
import { limits } from '#contract';
import { countText } from '#web/lib/count-text.ts';
import { Button } from '#web/ui/button.tsx';
import { TextAreaField } from '#web/ui/field.tsx';
import { offerUndo } from '#web/ui/offer-undo.tsx';
import { LabelledSelect } from '#web/ui/select.tsx';
import { lookOptions, sizeOptions, templateOptions } from './product-rows.tsx';
import type { TableContext } from './read-row.ts';
import type { TableRow } from './table-row.ts';
import type { BatchTable } from './use-batch-table.ts';

interface ScenesForAllProps {
  rows: readonly TableRow[];
  table: BatchTable;
  context: TableContext;
}

/** What a row says stays. */
const asInRow = 'as-in-row';
const asInRowOption = { value: asInRow, label: 'As in the row' };

/** One scene, look, template and size for many products at once. */
export function ScenesForAll({ rows, table, context }: ScenesForAllProps) {
  const [scene, setScene] = useState('');
  const [look, setLook] = useState(asInRow);
  const [template, setTemplate] = useState(asInRow);
  const [size, setSize] = useState(asInRow);
  const without = rows.filter((row) => row.scene === '' && row.look === '');
  const cells = {
    ...(scene.trim() !== '' && { scene: scene.trim() }),
    ...(look !== asInRow && { look }),
    ...(template !== asInRow && { template }),
    ...(size !== asInRow && { size }),
  };
  const isEmpty = Object.keys(cells).length === 0;
  const apply = (to: readonly TableRow[]) => {
    const before = table.table?.rows ?? [];
    table.fillRows(new Set(to.map(({ id }) => id)), cells);
    offerUndo(`${countText(to.length, 'row')} changed.`, () =>
      table.restoreCells(before, Object.keys(cells) as (keyof typeof cells)[]),
    );
  };
  return (
    <section
      aria-labelledby="scene-for-all"
      className="mb-3 grid gap-4 rounded-card border border-line bg-surface p-4 sm:p-5"
    >
      <h2 id="scene-for-all" className="font-semibold">
        One scene for many products
      </h2>
      <div className="grid gap-4 lg:grid-cols-[minmax(0,2fr)_repeat(3,minmax(0,1fr))]">
        <TextAreaField
          label="Scene"
          rows={2}
          value={scene}
          maxLength={limits.promptCharacters}
          placeholder="On an oak table in soft morning light"
          onChange={(event) => setScene(event.target.value)}
        />
        <LabelledSelect
          label="Look"
          value={look}
          options={[asInRowOption, ...lookOptions(context)]}
          onChange={setLook}
        />
        <LabelledSelect
          label="Template"
          value={template}
          options={[asInRowOption, ...templateOptions('No template')]}
          onChange={setTemplate}
        />
        <LabelledSelect
          label="Size"
          value={size}
          options={[asInRowOption, ...sizeOptions(context, look !== '' && look !== asInRow)]}
          onChange={setSize}
        />
      </div>
      <div className="flex flex-wrap gap-2">
        {without.length > 0 && without.length < rows.length && (
          <Button disabled={isEmpty} onClick={() => apply(without)}>
            Use it for {countText(without.length, 'product')} without a scene
          </Button>
        )}
        <Button
          variant={without.length === rows.length ? 'primary' : 'secondary'}
          disabled={isEmpty}
          onClick={() => apply(rows)}
        >
          Use it for {rows.length === 1 ? 'the product' : `all ${rows.length} products`}
        </Button>
      </div>
    </section>
  );
}
