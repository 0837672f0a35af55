import { CircleAlert, CircleCheck } from 'lucide-react';
import type { OperatorNow } from '#contract';
import { Section } from '#web/ui/section.tsx';
import { timeBetween } from './duration-text.ts';

const names: Readonly<Record<OperatorNow['stores'][number]['store'], string>> = {
  mongodb: 'MongoDB',
  queue: 'Queue',
  storage: 'Storage',
  mail: 'Mail server',
};

/** Which stores work, and the last error of those that do not. */
export function Stores({ now: { stores, at } }: { now: OperatorNow }) {
  return (
    <Section id="stores" title="Stores">
      <ul className="grid gap-4 sm:grid-cols-2">
        {stores.map(({ store, works, error, since, processes }) => {
          const Icon = works ? CircleCheck : CircleAlert;
          return (
            <li key={store} className="flex items-start gap-2.5">
              <Icon aria-hidden className={`mt-1 size-4 shrink-0 ${works ? 'text-good' : 'text-danger'}`} />
              <div className="min-w-0">
                <p className="font-semibold">
                  {names[store]} <span className="font-normal">{works ? 'works' : 'fails'}</span>
                </p>
                {!works && (
                  <p className="text-sm break-words text-danger">
                    {since && `For ${timeBetween(since, at)}`}
                    {processes > 1 && `, in ${processes} processes`}: {error}
                  </p>
                )}
              </div>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}
