/** What the manifests of `deploy/kubernetes/` say, as kustomize renders them. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import { uploadBytesMost } from '#contract';
import { requestEndMs } from '#server/plugins/open-requests.ts';
import { rootFolder } from '#shared/platform/root-folder.ts';
import { overlays, validateManifests } from '#tests/support/kubernetes.ts';
import { environmentOf, isRendered, type Overlay, openOverlay, podsOf } from './overlay.ts';

const podsNamed = (overlay: Overlay, name: string) => podsOf(overlay).find((each) => each.name === name)!;

/** Bytes of a quantity such as `512Mi`. */
function bytesOf(quantity: string): number {
  const [, number, unit] = /^(\d+)(Mi|Gi)$/.exec(quantity)!;
  return Number(number) * (unit === 'Gi' ? 2 ** 30 : 2 ** 20);
}

describe.runIf(isRendered)('the manifests', () => {
  test.for(overlays)('of %s have only fields that Kubernetes and KEDA know', (name) => {
    const { problems, documents } = openOverlay(name);
    expect(problems).toEqual([]);
    expect(documents.length).toBeGreaterThan(20);
  });

  test('with mistakes are refused', async () => {
    const mistakes = [
      ['maxSurge: 1', 'maxSurplus: 1', /^Deployment\/server: .*maxSurplus.*1\.30\.0/],
      ['automountServiceAccountToken: false', 'automountServiceAccountToken: "no"', /not of type 'boolean'/],
      ['kind: PodDisruptionBudget', 'kind: DisruptionBudget', /find schema for kind DisruptionBudget/],
      ['pollingInterval: 15', 'pollInterval: 15', /^ScaledObject\/worker: spec\.pollInterval is not a field/],
    ] as const;
    let { yaml } = openOverlay('production');
    for (const [right, wrong] of mistakes) {
      expect(yaml).toContain(right);
      yaml = yaml.replaceAll(right, wrong);
    }
    const { problems } = await validateManifests(inject('kubernetes')!.python, yaml);
    for (const [, , problem] of mistakes) expect(problems).toContainEqual(expect.stringMatching(problem));
  });

  test.for(overlays)('of %s run unprivileged programs of the images only', (name) => {
    const rendered = openOverlay(name);
    const pods = podsOf(rendered);
    expect(pods.map((each) => each.name)).toEqual(['server', 'worker', 'migration', 'audit', 'backup']);
    for (const { spec } of pods) {
      expect(spec.automountServiceAccountToken).toBe(false);
      expect(spec.securityContext).toMatchObject({
        runAsNonRoot: true,
        runAsUser: 1000,
        seccompProfile: { type: 'RuntimeDefault' },
      });
      expect(spec.containers).toHaveLength(1);
      const [container] = spec.containers;
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect(container.image).toMatch(/^registry\.example\.com\/packshot-(server|worker):\d+\.\d+\.\d+$/);
      expect(container.volumeMounts).toContainEqual({ name: 'unfinished', mountPath: '/tmp' });
      expect(bytesOf(container.resources.limits.memory)).toBeGreaterThanOrEqual(
        bytesOf(container.resources.requests.memory),
      );
      expect(container.resources.requests.cpu).toMatch(/^\d+m$/);
      // The program is in the image.
      const [node, script] = container.command ?? [];
      if (node !== undefined) {
        expect(node).toBe('node');
        expect(existsSync(join(rootFolder, script))).toBe(true);
        const copied = readFileSync(join(rootFolder, 'Dockerfile.server'), 'utf8');
        expect(copied).toContain(`COPY ${script.replace('/main.ts', '')} `);
      }
    }
    for (const account of rendered.all('ServiceAccount'))
      expect(account).toHaveProperty('automountServiceAccountToken', false);
  });

  test.for(overlays)('of %s name nothing that is not there', (name) => {
    const rendered = openOverlay(name);
    for (const pods of podsOf(rendered)) {
      const given = { MONGODB_URL: expect.any(String), PUBLIC_URL: expect.any(String) };
      expect(environmentOf(rendered, pods)).toMatchObject(given);
    }
    const labels = podsOf(rendered).map((pods) => pods.labels['app.kubernetes.io/name']);
    const selectors = [
      ...rendered.all('Deployment').map(({ spec }) => spec.selector),
      ...rendered.all('PodDisruptionBudget').map(({ spec }) => spec.selector),
      ...rendered.all('Service').map(({ spec }) => ({ matchLabels: spec.selector })),
      ...rendered.all('NetworkPolicy').map(({ spec }) => spec.podSelector),
    ];
    for (const { matchLabels, matchExpressions } of selectors) {
      if (matchLabels) expect(labels).toContain(matchLabels['app.kubernetes.io/name']);
      for (const { values } of matchExpressions ?? []) expect(labels).toEqual(expect.arrayContaining(values));
    }
    for (const kind of ['HorizontalPodAutoscaler', 'ScaledObject']) {
      for (const { spec } of rendered.all(kind)) rendered.get('Deployment', spec.scaleTargetRef.name);
    }
    const [path] = rendered.get('Ingress', 'packshot').spec.rules[0].http.paths;
    const service = rendered.get('Service', path.backend.service.name);
    expect(service.spec.ports.map((port: { name: string }) => port.name)).toContain(
      path.backend.service.port.name,
    );
    expect(rendered.get('Ingress', 'packshot').spec.rules[0].host).toBe(
      new URL(environmentOf(rendered, podsNamed(rendered, 'server')).PUBLIC_URL!).host,
    );
  });

  test.for(overlays)('of %s replace pods without an interruption', (name) => {
    const rendered = openOverlay(name);
    for (const { spec } of rendered.all('Deployment')) {
      expect(spec.strategy.rollingUpdate).toEqual({ maxUnavailable: 0, maxSurge: 1 });
      expect(spec).not.toHaveProperty('replicas');
    }
    const server = podsNamed(rendered, 'server');
    const sleep = server.spec.containers[0].lifecycle.preStop.sleep.seconds;
    // server/main.ts and worker/main.ts have the four and the eight seconds.
    expect(server.spec.terminationGracePeriodSeconds).toBeGreaterThan(sleep + requestEndMs / 1_000 + 4);
    const worker = podsNamed(rendered, 'worker');
    const grace = Number(environmentOf(rendered, worker).WORKER_GRACE_MS) / 1_000;
    expect(worker.spec.terminationGracePeriodSeconds).toBeGreaterThan(grace + 8);
  });

  test('make one backup at a time, tell of one that is missing, and keep them on a volume', () => {
    const rendered = openOverlay('production');
    const { spec } = rendered.get('CronJob', 'backup');
    expect(spec).toMatchObject({
      concurrencyPolicy: 'Forbid',
      schedule: expect.stringMatching(/^\d+ \d+ \* \* \*$/),
    });
    const { spec: pod } = podsNamed(rendered, 'backup');
    const [container] = pod.containers;
    const [, , folder, ...options] = container.command;
    expect(options).toEqual(['--keep=14', '--every=24', '--without-storage']);
    const mounted = container.volumeMounts.find(
      ({ mountPath }: { mountPath: string }) => mountPath === folder,
    );
    const volume = pod.volumes.find(({ name }: { name: string }) => name === mounted.name);
    rendered.get('PersistentVolumeClaim', volume.persistentVolumeClaim.claimName);
    // What another user has made on the volume.
    expect(pod.securityContext.fsGroup).toBe(pod.securityContext.runAsUser);
  });

  test('let the largest form through the Ingress', () => {
    const { annotations } = openOverlay('production').get('Ingress', 'packshot').metadata;
    const [, megabytes] = /^(\d+)m$/.exec(annotations!['nginx.ingress.kubernetes.io/proxy-body-size']!)!;
    expect(Number(megabytes) * 2 ** 20).toBeGreaterThanOrEqual(uploadBytesMost);
  });

  test('scale workers before all of them are busy, and batches with them', () => {
    const rendered = openOverlay('production');
    const { spec } = rendered.get('ScaledObject', 'worker');
    const settings = environmentOf(rendered, podsNamed(rendered, 'worker'));
    expect(spec.minReplicaCount).toBeGreaterThanOrEqual(1);
    expect(Number(spec.triggers[0].metadata.threshold)).toBeLessThan(Number(settings.WORKER_CONCURRENCY));
    expect(Number(settings.BATCH_WINDOW)).toBeGreaterThanOrEqual(
      spec.maxReplicaCount * Number(settings.WORKER_CONCURRENCY),
    );
  });

  test("have what the configuration for the cluster's Prometheus asks for", () => {
    const rendered = openOverlay('production');
    const config = readFileSync(join(rootFolder, 'deploy/prometheus/kubernetes.yml'), 'utf8');
    const asked = [
      ...config.matchAll(/names: \[([\w-]+)\.packshot\.svc\.cluster\.local\], type: A, port: (\d+)/g),
    ];
    expect(asked.map(([, name]) => name)).toEqual(['server-metrics', 'worker-metrics']);
    for (const [, name, port] of asked) {
      const { spec } = rendered.get('Service', name!);
      expect(spec.clusterIP).toBe('None');
      expect(spec.ports).toEqual([{ name: 'metrics', port: Number(port), targetPort: 'metrics' }]);
    }
    // The alerts name the jobs.
    const jobs = (text: string) => [...text.matchAll(/job_name: (\S+)/g)].map(([, job]) => job);
    expect(jobs(config)).toEqual(
      jobs(readFileSync(join(rootFolder, 'deploy/prometheus/prometheus.yml'), 'utf8')),
    );
  });
});
