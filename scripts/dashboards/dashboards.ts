/** The dashboards of Packshot for Grafana. `main.ts` writes them as JSON, to be imported. */

type Unit = 's' | 'short' | 'bytes' | 'percentunit' | 'reqps' | 'cps' | 'bool_yes_no';

/** A panel without its number, place and data source, and how wide it is, of 24. */
interface Panel {
  width: number;
  height: number;
  title: string;
  type: 'stat' | 'timeseries';
  description?: string;
  fieldConfig: object;
  options: object;
  targets: { expr: string; legendFormat?: string }[];
}

interface ChartOptions {
  width?: number;
  /** Whether the series are added up. */
  stacked?: boolean;
  description?: string;
}

/** Series over time. @param series expressions by how their series are called */
function chart(title: string, unit: Unit, series: Record<string, string>, options: ChartOptions = {}): Panel {
  const { width = 8, stacked = false, description } = options;
  const custom = {
    lineWidth: 1,
    fillOpacity: stacked ? 30 : 5,
    showPoints: 'never',
    ...(stacked && { stacking: { mode: 'normal', group: 'A' } }),
  };
  return {
    width,
    height: 8,
    title,
    type: 'timeseries',
    ...(description !== undefined && { description }),
    fieldConfig: { defaults: { unit, min: 0, custom }, overrides: [] },
    options: { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi' } },
    targets: Object.entries(series).map(([legendFormat, expr]) => ({ expr, legendFormat })),
  };
}

interface FigureOptions {
  /** The colours of what is below a value, and from it on. */
  colours?: readonly [below: string, value: number, from: string];
  /** Words that stand for 0, 1 and so on. */
  words?: readonly string[];
  description?: string;
}

/** The newest value of a series, as a number. */
function figure(title: string, unit: Unit, expr: string, options: FigureOptions = {}): Panel {
  const { colours, words, description } = options;
  const steps = colours && [
    { color: colours[0], value: null },
    { color: colours[2], value: colours[1] },
  ];
  const mappings = words && [
    { type: 'value', options: Object.fromEntries(words.entries().map(([value, text]) => [value, { text }])) },
  ];
  return {
    width: 4,
    height: 4,
    title,
    type: 'stat',
    ...(description !== undefined && { description }),
    fieldConfig: {
      defaults: {
        unit,
        min: 0,
        ...(steps && { color: { mode: 'thresholds' }, thresholds: { mode: 'absolute', steps } }),
        ...(mappings && { mappings }),
      },
      overrides: [],
    },
    options: {
      reduceOptions: { calcs: ['lastNotNull'], fields: '', values: false },
      colorMode: 'value',
      graphMode: 'area',
    },
    targets: [{ expr }],
  };
}

const datasource = { type: 'prometheus', uid: `\${datasource}` };

/** Panels stand side by side, as many as there is room for. */
function dashboard(uid: string, title: string, panels: readonly Panel[]) {
  let [x, y] = [0, 0];
  const placed = panels.map(({ width, height, targets, ...panel }, index) => {
    if (x + width > 24) [x, y] = [0, y + panels[index - 1]!.height];
    const gridPos = { x, y, w: width, h: height };
    x += width;
    const named = targets.map((target, number) => ({ refId: 'ABC'[number], datasource, ...target }));
    return { id: index + 1, gridPos, ...panel, datasource, targets: named };
  });
  const variable = { name: 'datasource', label: 'Data source', type: 'datasource', query: 'prometheus' };
  const link = { title: 'Packshot', type: 'dashboards', tags: ['packshot'], asDropdown: true };
  return {
    uid: `packshot-${uid}`,
    title: `Packshot: ${title}`,
    tags: ['packshot'],
    schemaVersion: 39,
    version: 1,
    editable: true,
    refresh: '30s',
    timezone: '',
    time: { from: 'now-6h', to: 'now' },
    templating: { list: [{ ...variable, current: {}, hide: 0 }] },
    annotations: { list: [] },
    links: [{ ...link, includeVars: true, keepTime: true }],
    panels: placed,
  };
}

const rate = (metric: string) => `rate(${metric}[$__rate_interval])`;

/** Percentiles of a histogram. @param by labels that tell series apart, beside `le` */
const percentile = (share: number, metric: string, by = 'le') =>
  `histogram_quantile(${share}, sum by (${by}) (${rate(metric)}))`;

const requests = 'packshot_http_request_duration_seconds';
const calls = 'packshot_provider_call_duration_seconds';
const ended = 'packshot_generations_ended_total';
const made = 'packshot_generation_duration_seconds_bucket';
const programs = '{job=~"packshot-.+"}';
const program = '{{job}} {{instance}}';

const fromSubmitting = chart('From submitting to the image', 's', {
  'p50 {{kind}}': percentile(0.5, made, 'le, kind'),
  'p95 {{kind}}': percentile(0.95, made, 'le, kind'),
});

/** By the name of their file, without its extension. */
export const dashboards = {
  overview: dashboard('overview', 'overview', [
    figure('Oldest waiting image', 's', 'max(packshot_generations_oldest_waiting_seconds{kind="single"})', {
      colours: ['green', 600, 'red'],
      description: 'Without the images of batches, which wait behind all others.',
    }),
    figure('Images per minute', 'short', `sum(${rate(`${ended}{outcome="succeeded"}`)}) * 60`),
    figure('Workers', 'short', 'max(packshot_workers)', { colours: ['red', 1, 'green'] }),
    figure('Stores that answer', 'bool_yes_no', 'min(packshot_store_up)', {
      colours: ['red', 1, 'green'],
      description: 'No: at least one store does not answer one of the processes.',
    }),
    figure('Breaker to the provider', 'short', 'max(packshot_provider_breaker{state!="closed"})', {
      colours: ['green', 1, 'red'],
      words: ['closed', 'open'],
      description: 'Open or half-open: the provider does not take our calls, and images wait.',
    }),
    figure('Findings of the last audit', 'short', 'max(packshot_audit_findings)', {
      colours: ['green', 1, 'red'],
    }),
    chart(
      'Ended images per minute',
      'short',
      { '{{outcome}}': `sum by (outcome) (${rate(ended)}) * 60` },
      { stacked: true },
    ),
    fromSubmitting,
    chart('Jobs in the queue', 'short', { '{{state}}': 'max by (state) (packshot_queue_jobs)' }),
    chart('Share of images that fail', 'percentunit', {
      failed: `sum(${rate(`${ended}{outcome="failed"}`)}) / sum(${rate(`${ended}{outcome=~"succeeded|failed"}`)})`,
    }),
    chart('Images held and settled', 'short', {
      held: 'max(packshot_credits_held_images)',
      '{{kind}} per minute': `sum by (kind) (${rate('packshot_credits_settled_images_total')}) * 60`,
    }),
    chart(
      'Ended and not settled',
      'short',
      { images: 'max(packshot_generations_unsettled)' },
      { description: 'More than a few for more than a minute: upkeep does not get on.' },
    ),
    chart('Mails', 'short', {
      waiting: 'max(packshot_mails_waiting)',
      '{{state}}': 'max by (state) (packshot_mails_failed)',
      '{{outcome}} per minute': `sum by (outcome) (${rate('packshot_mail_attempts_total')}) * 60`,
    }),
    chart('Stripe events not handled', 'short', {
      events: 'max(packshot_stripe_events_unhandled)',
      'age of the oldest in minutes': 'max(packshot_stripe_events_oldest_unhandled_seconds) / 60',
    }),
    chart('Stores by process', 'bool_yes_no', { '{{store}} at {{instance}}': 'packshot_store_up' }),
    chart('Time since the last audit', 's', { age: 'max(packshot_audit_age_seconds)' }),
    chart('Time since the last backup', 's', { age: 'max(packshot_backup_age_seconds)' }),
    chart('Processes by version', 'short', {
      '{{program}} {{version}}, Node {{node}}': 'count by (program, version, node) (packshot_build_info)',
    }),
    chart('Processes that answer', 'bool_yes_no', { [program]: 'up' }),
  ]),

  'http-and-sockets': dashboard('http', 'HTTP and sockets', [
    chart(
      'Requests per second by status',
      'reqps',
      { '{{status}}': `sum by (status) (${rate(`${requests}_count`)})` },
      { stacked: true },
    ),
    chart('Share of requests with an error of the server', 'percentunit', {
      '5xx': `(sum(${rate(`${requests}_count{status="5xx"}`)}) or vector(0)) / sum(${rate(`${requests}_count`)})`,
    }),
    chart('Duration of requests', 's', {
      p50: percentile(0.5, `${requests}_bucket`),
      p95: percentile(0.95, `${requests}_bucket`),
      p99: percentile(0.99, `${requests}_bucket`),
    }),
    chart(
      'Requests per second by route',
      'reqps',
      { '{{method}} {{route}}': `topk(10, sum by (method, route) (${rate(`${requests}_count`)}))` },
      { width: 12 },
    ),
    chart(
      'p95 by route',
      's',
      { '{{method}} {{route}}': `topk(10, ${percentile(0.95, `${requests}_bucket`, 'le, method, route')})` },
      { width: 12 },
    ),
    chart(
      'Refused requests per second by route',
      'reqps',
      {
        '{{status}} {{method}} {{route}}': `topk(10, sum by (method, route, status) (${rate(`${requests}_count{status=~"4xx|5xx|aborted"}`)}))`,
      },
      { width: 12 },
    ),
    chart('Open sockets', 'short', { '{{instance}}': 'packshot_sockets_open' }, { width: 6, stacked: true }),
    chart(
      'Sockets that connect per second',
      'cps',
      { '{{outcome}}': `sum by (outcome) (${rate('packshot_socket_connections_total')})` },
      { width: 6 },
    ),
    chart(
      'Event-loop delay, p99',
      's',
      { [program]: `nodejs_eventloop_lag_p99_seconds${programs}` },
      { width: 6, description: 'Includes the 10 ms of its own timer.' },
    ),
    chart(
      'Processor time',
      'percentunit',
      { [program]: rate(`process_cpu_seconds_total${programs}`) },
      { width: 6, description: '100 % is one core.' },
    ),
    chart('Memory', 'bytes', { [program]: `process_resident_memory_bytes${programs}` }, { width: 6 }),
    chart('Heap used', 'bytes', { [program]: `nodejs_heap_size_used_bytes${programs}` }, { width: 6 }),
  ]),

  'provider-and-queue': dashboard('provider', 'provider and queue', [
    chart(
      'Calls per minute by outcome',
      'short',
      { '{{outcome}}': `sum by (outcome) (${rate(`${calls}_count`)}) * 60` },
      { stacked: true },
    ),
    chart(
      'Calls per minute by status',
      'short',
      { '{{status}}': `sum by (status) (${rate(`${calls}_count`)}) * 60` },
      { stacked: true },
    ),
    chart('Duration of calls that gave an image', 's', {
      p50: percentile(0.5, `${calls}_bucket{outcome="succeeded"}`),
      p95: percentile(0.95, `${calls}_bucket{outcome="succeeded"}`),
      p99: percentile(0.99, `${calls}_bucket{outcome="succeeded"}`),
    }),
    chart(
      'Provider refuses calls',
      'bool_yes_no',
      { '{{kind}}': 'max by (kind) (packshot_provider_paused)' },
      {
        description:
          'busy: rate limit or overload. connection: it cannot be reached or answers with errors. account: the key or the budget.',
      },
    ),
    chart('State of the breaker', 'bool_yes_no', {
      '{{state}}': 'max by (state) (packshot_provider_breaker)',
    }),
    chart('Calls in the last minute', 'short', {
      calls: 'max(packshot_provider_limit_used{limit="per_minute"})',
      'PROVIDER_IMAGES_PER_MINUTE (0: no limit)': 'max(packshot_provider_limit{limit="per_minute"})',
    }),
    chart('Calls at the same time', 'short', {
      calls: 'max(packshot_provider_limit_used{limit="in_flight"})',
      'PROVIDER_MAX_IN_FLIGHT (0: no limit)': 'max(packshot_provider_limit{limit="in_flight"})',
    }),
    chart('Refused calls since the last accepted one', 'short', {
      calls: 'max(packshot_provider_refused_calls)',
    }),
    chart('Attempts that run', 'short', {
      running: 'sum(packshot_worker_jobs_running)',
      'slots of all workers': 'max(packshot_worker_slots)',
    }),
    chart('Attempts by worker', 'short', {
      '{{instance}}': 'packshot_worker_jobs_running',
      'limit of {{instance}}': 'packshot_worker_concurrency',
    }),
    chart(
      'Jobs in the queue',
      'short',
      { '{{state}}': 'max by (state) (packshot_queue_jobs)' },
      { stacked: true },
    ),
    chart('Oldest waiting image', 's', {
      '{{kind}}': 'max by (kind) (packshot_generations_oldest_waiting_seconds)',
    }),
    chart('Queue paused by an operator', 'bool_yes_no', { paused: 'max(packshot_queue_paused)' }),
    chart(
      'Failed images per minute by code',
      'short',
      { '{{code}}': `sum by (code) (${rate(`${ended}{outcome="failed"}`)}) * 60` },
      { stacked: true },
    ),
    chart(
      'Ended images per minute by kind',
      'short',
      { '{{kind}} {{outcome}}': `sum by (kind, outcome) (${rate(ended)}) * 60` },
      { stacked: true },
    ),
    fromSubmitting,
  ]),
};
