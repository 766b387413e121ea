import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { runProgram } from '@dwd/lab/control-plane/run-program.ts';
import { findProgram } from '@dwd/lab/programs/find-program.ts';
import { chart, settingsOf, templated, type Manifest } from './render.ts';
import { renderings } from './renderings.ts';
import { everyValue, usualValues } from './every-value.ts';

const at = (value: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((within, key) => (within as Record<string, unknown> | undefined)?.[key], value);

/** Whether something is there: of a list, whether one of its items is. */
const shows = (found: unknown, expected: unknown): boolean =>
  isDeepStrictEqual(found, expected) || (Array.isArray(found) && found.some((one) => isDeepStrictEqual(one, expected)));

const app = (role: string) => ({ app: `dependency-watchdog-${role}` });

const ofKind = (manifests: readonly Manifest[], wanted: string) => manifests.filter(({ kind }) => kind === wanted);

test.for(everyValue)('1.7 a value of the chart is where it belongs, and nowhere without it: %s', async (row) => {
  const [setting, kind, path, expected, count = 2] = row;
  const [usual, changed] = await Promise.all([templated(usualValues), templated([...usualValues, setting])]);
  const is = (manifest: Manifest) => shows(at(manifest, path), expected);
  expect(ofKind(changed, kind).filter(is)).toHaveLength(count);
  expect(ofKind(usual, kind).filter(is)).toEqual([]);
});

test('1.7 helm lint finds nothing with all values at once, strictly', async () => {
  const helm = await findProgram('helm');
  const settings = settingsOf([...usualValues, ...everyValue.map(([setting]) => setting)]);
  expect(await runProgram(helm, ['lint', '--strict', chart, ...settings])).toContain('0 chart(s) failed');
});

test('1.7 each value that the README of the chart names is tried', () => {
  const readme = readFileSync(join(chart, 'README.md'), 'utf8');
  const rows = [...readme.matchAll(/^\| `([\w.]+)` \|/gm)].map(([, name]) => name!);
  // The configurations are tried where they are compared with the schemas for editors.
  const named = rows.filter((name) => !name.endsWith('.config'));
  expect(named.length).toBeGreaterThan(50);
  const settings = [
    ...settingsOf(usualValues),
    ...renderings.flatMap((one) => one.settings),
    ...everyValue.map(([setting]) => setting),
  ];
  // A setting may set a whole mapping, or a part of one.
  const tried = settings.map((setting) => setting.split('=', 1)[0]!);
  const untried = named.filter(
    (name) => !tried.some((one) => `${one}.`.startsWith(`${name}.`) || `${name}.`.startsWith(`${one}.`)),
  );
  expect(untried).toEqual([]);
});

test('1.7 every object of the chart bears the labels of a chart, with its version', async () => {
  const manifests = await templated([...usualValues, 'podMonitor.labels={"prometheus":"aggregate"}']);
  for (const { kind, metadata } of manifests)
    expect([kind, metadata]).toEqual([
      kind,
      expect.objectContaining({
        labels: expect.objectContaining({
          'app.kubernetes.io/name': 'dependency-watchdog',
          'app.kubernetes.io/instance': 'dependency-watchdog',
          'app.kubernetes.io/managed-by': 'Helm',
          'app.kubernetes.io/version': expect.stringMatching(/^\d/) as string,
          'helm.sh/chart': expect.stringMatching(/^dependency-watchdog-\d/) as string,
        }) as unknown,
      }),
    ]);
});

test('1.7 what selects pods is what it was in the first version: an upgrade cannot change it', async () => {
  const selectors = (await templated([...usualValues, 'podLabels={"team":"night"}'])).flatMap((manifest) => {
    const selector = at(manifest, 'spec.selector');
    return selector === undefined ? [] : [[manifest.kind, selector]];
  });
  const roles = ['prober', 'weeder'];
  expect(Object.groupBy(selectors, ([kind]) => kind as string)).toEqual({
    Deployment: roles.map((role) => ['Deployment', { matchLabels: app(role) }]),
    PodDisruptionBudget: roles.map((role) => ['PodDisruptionBudget', { matchLabels: app(role) }]),
    Service: roles.map((role) => ['Service', app(role)]),
    PodMonitor: [
      [
        'PodMonitor',
        { matchExpressions: [{ key: 'app', operator: 'In', values: roles.map((role) => app(role).app) }] },
      ],
    ],
  });
});

test('1.7 a label of the pods does not take the place of one that opens a way for them', async () => {
  const open = 'networking.gardener.cloud/to-dns';
  const pods = ofKind(await templated([`podLabels={"${open}":"denied"}`]), 'Deployment');
  for (const pod of pods) expect(at(pod, 'spec.template.metadata.labels')).toMatchObject({ [open]: 'allowed' });
});

test('1.7 an account that is there already is used and granted, and not made', async () => {
  const own = 'prober.serviceAccount={"create":false,"name":"mine"}';
  const manifests = await templated([own, 'events=true', furtherDependants]);
  expect(ofKind(manifests, 'ServiceAccount').map(({ metadata }) => metadata.name)).toEqual([
    'dependency-watchdog-weeder',
  ]);
  const bindings = [...ofKind(manifests, 'ClusterRoleBinding'), ...ofKind(manifests, 'RoleBinding')];
  const subjects = bindings.flatMap((one) => at(one, 'subjects') as { name: string }[]).map(({ name }) => name);
  expect(subjects.toSorted()).toEqual([
    ...Array.from({ length: 3 }, () => 'dependency-watchdog-weeder'),
    ...Array.from({ length: 4 }, () => 'mine'),
  ]);
});

const furtherDependants =
  'prober.furtherDependants=[{"apiGroups":["apps"],"resources":["statefulsets"],"verbs":["get"]}]';
