import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { type OperatorNow, pages } from '#contract';
import { durationBetween, durationText } from '#web/lib/durations.ts';
import { Section } from '#web/ui/section.tsx';

/** Workers and servers that run, with what they report. */
export function Processes({ now: { workers, servers, at } }: { now: OperatorNow }) {
  return (
    <>
      <Section id="workers" title="Workers">
        {workers.length === 0 && <p className="text-ink-soft">No worker runs: images wait.</p>}
        {workers.length > 0 && (
          <ProcessTable load="Images">
            {workers.map(({ concurrency, running, made, failed, secondsPerImage, crashes, ...worker }) => (
              <ProcessRow
                key={worker.id}
                process={worker}
                at={at}
                load={`${running.length} of ${concurrency}`}
              >
                <WorkerHealth {...{ made, failed, secondsPerImage, crashes }} />
                {running.length > 0 && (
                  <ul className="mt-1 grid gap-0.5 text-sm">
                    {running.map((id) => (
                      <li key={id}>
                        <Link
                          to={`${pages.operator}/generations/${id}`}
                          className="font-mono break-all underline underline-offset-2"
                        >
                          {id}
                        </Link>
                      </li>
                    ))}
                  </ul>
                )}
              </ProcessRow>
            ))}
          </ProcessTable>
        )}
      </Section>
      <Section id="servers" title="Servers">
        {servers.length === 0 && <p className="text-ink-soft">No server has reported yet.</p>}
        {servers.length > 0 && (
          <ProcessTable load="Sockets">
            {servers.map(({ sockets, ...server }) => (
              <ProcessRow key={server.id} process={server} at={at} load={String(sockets)} />
            ))}
          </ProcessTable>
        )}
      </Section>
    </>
  );
}

type Worker = OperatorNow['workers'][number];

/** What came of a worker's images in the last hour, and whether workers on its machine end by themselves. */
function WorkerHealth({
  made,
  failed,
  secondsPerImage,
  crashes,
}: Pick<Worker, 'made' | 'failed' | 'secondsPerImage' | 'crashes'>) {
  const images = `${made} ${made === 1 ? 'image' : 'images'} in the last hour`;
  return (
    <span className="block text-sm text-ink-soft">
      {secondsPerImage === null ? images : `${images}, ${durationText(secondsPerImage)} each`}
      {failed > 0 && <span className="block font-semibold text-danger">{failed} failed</span>}
      {crashes > 0 && (
        <span className="block font-semibold text-danger">
          {crashes === 1 ? 'Crashed once' : `Crashed ${crashes} times`} in the last 24 hours, and was
          restarted
        </span>
      )}
    </span>
  );
}

/** @param load the name of what a process works on */
function ProcessTable({ load, children }: { load: string; children: ReactNode }) {
  return (
    <table className="w-full text-left text-[0.9375rem]">
      <thead>
        <tr className="text-sm text-ink-soft">
          <th className="py-1.5 pr-3 font-normal">Process</th>
          <th className="py-1.5 pr-3 font-normal whitespace-nowrap">{load}</th>
          <th className="py-1.5 pr-3 font-normal whitespace-nowrap">Uptime</th>
          <th className="py-1.5 font-normal whitespace-nowrap">Last seen</th>
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}

interface ProcessRowProps {
  process: Omit<OperatorNow['servers'][number], 'sockets'>;
  /** When it was read. */
  at: string;
  load: string;
  children?: ReactNode;
}

function ProcessRow({ process, at, load, children }: ProcessRowProps) {
  const { version, host, pid, startedAt, reportedAt } = process;
  return (
    <tr className="border-t border-line align-top">
      <th className="py-2 pr-3 font-normal">
        <span className="font-semibold break-words">{host}</span>
        <span className="block text-sm text-ink-soft">
          process {pid}, version {version}
        </span>
        {children}
      </th>
      <td className="py-2 pr-3 whitespace-nowrap tabular-nums">{load}</td>
      <td className="py-2 pr-3 whitespace-nowrap tabular-nums">{durationBetween(startedAt, at)}</td>
      <td className="py-2 whitespace-nowrap tabular-nums">
        {reportedAt ? `${durationBetween(reportedAt, at)} ago` : '–'}
      </td>
    </tr>
  );
}
