import { useQuery, useQueryClient } from '@tanstack/react-query';
import clsx from 'clsx';
import { type ReactNode, useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { toast } from 'sonner';
import {
  hasEnded,
  type LifeEvent,
  type OperatorGenerationAction,
  type OperatorGenerationView,
  type OperatorPhotos,
  pages,
} from '#contract';
import { useDates } from '#web/lib/dates.ts';
import { Button, textLinkClass } from '#web/ui/button.tsx';
import { ListError } from '#web/ui/list-status.tsx';
import { Name } from '#web/ui/name.tsx';
import { Facts, OperatorHeading, ReasonDialog } from '#web/ui/operator.tsx';
import { Section } from '#web/ui/section.tsx';
import { ListSkeleton } from '#web/ui/skeleton.tsx';
import { actOnGeneration, fetchGeneration, showPhotos } from './api.ts';

const refetchMs = 3_000;

const texts: Readonly<Record<OperatorGenerationAction, { title: string; effect: string; done: string }>> = {
  retry: {
    title: 'Make it again',
    effect:
      'A new generation with the same photos, scene and options, on an image of the seller. The failed one was not charged. If the seller has none left, give some first.',
    done: 'The image is made again.',
  },
  cancel: {
    title: 'Cancel the image',
    effect: 'As if the seller had cancelled it, at no charge. It is refused while the seller sees a preview.',
    done: 'The generation is cancelled.',
  },
  release: {
    title: 'Release',
    effect:
      'Takes the generation from its worker and puts it back in the queue. The call of that worker may have been executed, and paid for.',
    done: 'The generation is back in the queue.',
  },
};

interface GenerationPageProps {
  id: string;
  /** What operators did with the generation. */
  log: ReactNode;
}

/** One generation: what it is, its whole life, its photos after a reason, and what an operator can do. */
export function GenerationPage({ id, log }: GenerationPageProps) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const queryKey = ['operator', 'generation', id];
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => fetchGeneration(id, signal),
    refetchInterval: ({ state }) => (state.data && !hasEnded(state.data.state) ? refetchMs : false),
  });
  const [asked, setAsked] = useState<OperatorGenerationAction | 'photos' | null>(null);
  const [files, setFiles] = useState<OperatorPhotos | null>(null);
  if (error) return <ListError error={error} onRetry={() => void refetch()} />;
  if (!data) return <ListSkeleton />;
  const close = () => setAsked(null);
  const refreshLog = () => client.invalidateQueries({ queryKey: ['operator', 'actions'] });
  return (
    <>
      <OperatorHeading>{`Generation ${id}`}</OperatorHeading>
      <Request generation={data} onAsk={setAsked} />
      <Files generation={data} files={files} onAsk={() => setAsked('photos')} />
      <Section id="life" title="Timeline">
        <Life events={data.life} />
      </Section>
      {log}
      {asked === 'photos' && (
        <ReasonDialog
          title="Show the photos"
          description="You see the photos and the image of this generation for ten minutes. The audit log says that you looked, and why."
          submitLabel="Show"
          run={(reason) => showPhotos(id, reason)}
          onDone={(shown) => {
            setFiles(shown);
            void refreshLog();
          }}
          onClose={close}
        />
      )}
      {asked && asked !== 'photos' && (
        <ReasonDialog
          title={texts[asked].title}
          description={texts[asked].effect}
          submitLabel={texts[asked].title}
          run={(reason) => actOnGeneration(id, asked, { reason, revision: data.revision })}
          onDone={({ generation, retriedAs }) => {
            client.setQueryData<OperatorGenerationView>(queryKey, generation);
            void refreshLog();
            toast.success(texts[asked].done);
            if (retriedAs !== null) navigate(`${pages.operator}/generations/${retriedAs}`);
          }}
          onClose={() => {
            close();
            void refetch();
          }}
        />
      )}
    </>
  );
}

interface RequestProps {
  generation: OperatorGenerationView;
  onAsk: (action: OperatorGenerationAction) => void;
}

function Request({ generation, onAsk }: RequestProps) {
  const dates = useDates();
  const { state, failure, sellerId, sellerEmail, prompt, productName, batchId, traceId, actions } =
    generation;
  const facts: readonly [name: string, value: ReactNode][] = [
    ['State', failure === null ? state : `${state}: ${failure}`],
    [
      'Seller',
      <Link key="seller" to={`${pages.operator}/sellers/${sellerId}`} className={textLinkClass}>
        <Name>{sellerEmail || sellerId}</Name>
      </Link>,
    ],
    ['Submitted', dates.dateTime(generation.createdAt)],
    ...(productName === ''
      ? []
      : [['Product', <Name key="product">{productName}</Name>] as [string, ReactNode]]),
    ['Scene', <Name key="scene">{prompt}</Name>],
    ['Size', `${generation.size}, quality ${generation.quality}`],
    ...(batchId === null ? [] : [['Batch', batchId] as [string, ReactNode]]),
    ['Reference', traceId],
  ];
  return (
    <Section
      id="facts"
      title="Request"
      trailing={
        <div className="flex flex-wrap gap-2">
          {actions.map((action) => (
            <Button key={action} variant="secondary" onClick={() => onAsk(action)}>
              {texts[action].title}
            </Button>
          ))}
        </div>
      }
    >
      <Facts items={facts} />
    </Section>
  );
}

interface FilesProps {
  generation: OperatorGenerationView;
  /** Null until the operator has said why. */
  files: OperatorPhotos | null;
  onAsk: () => void;
}

function Files({ generation: { photos, hasImage }, files, onAsk }: FilesProps) {
  const count = photos === 1 ? '1 photo' : `${photos} photos`;
  return (
    <Section
      id="files"
      title="Photos and image"
      {...(!files && {
        lead: `${count}${hasImage ? ' and an image' : ''}, hidden until you say why you need to see them.`,
      })}
      trailing={
        !files && (
          <Button variant="secondary" onClick={onAsk}>
            Show
          </Button>
        )
      }
    >
      {files && (
        <div className="flex flex-wrap gap-3">
          {files.photos.map((path, index) => (
            <img
              key={path}
              src={path}
              alt={`From the seller, ${index + 1} of ${files.photos.length}`}
              className="h-48 rounded-lg border border-line bg-sunken object-contain"
            />
          ))}
          {files.image !== null && (
            <img
              src={files.image}
              alt="The result"
              className="h-48 rounded-lg border-2 border-accent bg-sunken object-contain"
            />
          )}
        </div>
      )}
    </Section>
  );
}

/** Everything that happened to a generation, with the time since the event before. */
function Life({ events }: { events: readonly LifeEvent[] }) {
  const dates = useDates();
  return (
    <ol className="grid">
      {events.map(({ at, title, details, problem }, index) => {
        const before = events.slice(0, index).findLast((event) => event.at !== null)?.at;
        return (
          <li
            key={`${at} ${title} ${details}`}
            className="relative border-l-2 border-line pb-4 pl-5 last:border-transparent last:pb-0"
          >
            <span
              aria-hidden
              className={clsx(
                'absolute top-1.5 -left-[5px] size-2 rounded-full',
                problem ? 'bg-danger' : 'bg-ink-soft',
              )}
            />
            <div className="flex flex-wrap items-baseline justify-between gap-x-4 text-[0.9375rem]">
              <span className={clsx('font-semibold', problem && 'text-danger')}>{title}</span>
              {at !== null && (
                <time dateTime={at} className="text-sm text-ink-soft tabular-nums">
                  {dates.dateTime(at)}
                  {before && ` (+${((Date.parse(at) - Date.parse(before)) / 1_000).toFixed(2)} s)`}
                </time>
              )}
            </div>
            {details !== '' && <p className="text-sm text-ink-soft [overflow-wrap:anywhere]">{details}</p>}
          </li>
        );
      })}
    </ol>
  );
}
