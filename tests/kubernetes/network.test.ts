/** The network policies of `deploy/kubernetes/`: each pod reaches what its settings name, and nothing else. */
import { describe, expect, test } from 'vitest';
import { environmentOf, isRendered, type Overlay, openOverlay, podsOf } from './overlay.ts';

interface Rule {
  ports?: { port: number | string; protocol: string }[];
  to?: unknown[];
  from?: { namespaceSelector?: { matchLabels: Record<string, string> } }[];
}

/** The rules of one direction that apply to a pod with a label. */
function rulesFor(overlay: Overlay, label: string, direction: 'ingress' | 'egress'): Rule[] {
  return overlay
    .all('NetworkPolicy')
    .filter(({ spec: { podSelector } }) => {
      const { matchLabels, matchExpressions } = podSelector;
      if (matchLabels) return matchLabels['app.kubernetes.io/name'] === label;
      return (matchExpressions ?? []).every(({ values }: { values: string[] }) => values.includes(label));
    })
    .flatMap(({ spec }) => spec[direction] ?? []);
}

const portsOf = (rules: Rule[]) =>
  [...new Set(rules.flatMap(({ ports }) => ports!.map(({ port }) => String(port))))].sort();

describe.runIf(isRendered)('the network policies', () => {
  test('deny what no other policy allows', () => {
    const rendered = openOverlay('production');
    expect(rendered.get('NetworkPolicy', 'default-deny').spec).toEqual({
      podSelector: {},
      policyTypes: ['Ingress', 'Egress'],
    });
    // A rule without ports would allow all of them.
    for (const { spec } of rendered.all('NetworkPolicy')) {
      for (const rule of [...(spec.ingress ?? []), ...(spec.egress ?? [])] as Rule[]) {
        expect(rule.ports?.length).toBeGreaterThan(0);
      }
    }
  });

  const stores = ['26379', '27017', '5432', '6379'];
  test.for([
    ['packshot-server', ['http', 'metrics'], [...stores, '4318', '443', '53']],
    ['packshot-worker', ['metrics'], [...stores, '4318', '443', '465', '53', '587']],
    ['packshot-migration', [], ['27017', '53']],
    ['packshot-audit', [], ['27017', '443', '53']],
    ['packshot-backup', [], ['27017', '53']],
  ] as const)('of %s allow these ports', ([label, incoming, outgoing]) => {
    const rendered = openOverlay('production');
    expect(portsOf(rulesFor(rendered, label, 'ingress'))).toEqual([...incoming]);
    expect(portsOf(rulesFor(rendered, label, 'egress'))).toEqual([...outgoing].sort());
  });

  test('allow every address in the settings', () => {
    const rendered = openOverlay('production');
    const used = { server: ['MONGODB_URL', 'QUEUE_URL'], worker: ['MONGODB_URL', 'QUEUE_URL', 'SMTP_URL'] };
    const usual: Record<string, string> = { 'mongodb+srv:': '27017', 'rediss:': '6379', 'smtps:': '465' };
    for (const [name, settings] of Object.entries(used)) {
      const pods = podsOf(rendered).find((each) => each.name === name)!;
      const environment = environmentOf(rendered, pods);
      const open = portsOf(rulesFor(rendered, pods.labels['app.kubernetes.io/name']!, 'egress'));
      for (const setting of settings) {
        const { port, protocol } = new URL(environment[setting]!);
        expect(open, setting).toContain(port || usual[protocol]);
      }
    }
  });

  test('let Prometheus, and nobody else, read the metrics', () => {
    const rendered = openOverlay('production');
    for (const label of ['packshot-server', 'packshot-worker']) {
      const rules = rulesFor(rendered, label, 'ingress').filter(({ ports }) => ports![0]!.port === 'metrics');
      expect(rules.flatMap(({ from }) => from)).toEqual([
        { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } } },
      ]);
    }
  });
});
