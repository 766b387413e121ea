import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runValidate } from '../../src/commands/validate.ts';
import { heardIo } from '@dwd/testing/heard-io.ts';

const gardener = new URL('../../deploy/base/prober/dep-config.yaml', import.meta.url).pathname;
const gardenersWeeder = new URL('../../deploy/base/weeder/dep-config.yaml', import.meta.url).pathname;

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dwd-validate-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Runs the command on a text of YAML, or with the arguments as they are. */
async function validate(text: string | undefined, ...args: readonly string[]) {
  const { io, out, err } = heardIo();
  const file = join(folder, 'config.yaml');
  if (text !== undefined) await writeFile(file, text);
  const code = await runValidate(text === undefined ? args : [`--config-file=${file}`, ...args], io);
  const lines = [...out, ...err].join('\n').replaceAll(folder, '.').split('\n');
  expect(lines.filter((line) => line.length > 100)).toEqual([]);
  return { code, out: out.join('\n').replaceAll(folder, '.'), err: err.join('\n').replaceAll(folder, '.') };
}

test("2 Gardener's configuration is explained: settings, threshold, and levels in both directions", async () => {
  const { code, out, err } = await validate(undefined, '--config-file', gardener, '--strict');
  expect([code, err]).toEqual([0, '']);
  expect(out.split('\n').slice(2).join('\n')).toBe(
    `Settings
  kubeConfigSecretName         shoot-access-dependency-watchdog-probe
  probeInterval                30s
  initialDelay                 30s*
  probeTimeout                 30s*
  backoffJitterFactor          0.2*
  kcmNodeMonitorGraceDuration  40s*
  nodeLeaseFailureFraction     0.6*
  failureThreshold             1*
  successThreshold             1*

Probing
  A shoot is probed every 30s to 36s, and earlier when its leases may be about to expire. A whole
  probe may take 30s.
  A lease counts as expired 30s after its last renewal: three quarters of the 40s after which the
  kube-controller-manager marks a node. A shoot may set another time than these 40s.
  When 60% of a shoot's leases are expired, or more, it is cut off, and scaled down with the first
  such verdict. When fewer are, it is connected, and scaled up with the first such verdict.

When it starts, or becomes the leader
  Each shoot waits 30s to 36s for its first probe, by chance, so that not all are probed in one
  moment. A shoot that carries the watchdog's mark does not wait, since it was left scaled down. Nor
  does one that this replica has followed as a standby.
  Nothing is scaled before a shoot's first answer: what is down stays down until then. A standby
  follows the seed and writes nothing.

Scaling down, one level after the other
  level 0  apps/v1 Deployment machine-controller-manager  at once*  timeout 30s*  required
           apps/v1 Deployment cluster-autoscaler          at once*  timeout 30s*  optional
  level 1  apps/v1 Deployment kube-controller-manager     at once*  timeout 30s*  required

Scaling up, one level after the other
  level 0  apps/v1 Deployment kube-controller-manager     at once*   timeout 30s*  required
  level 1  apps/v1 Deployment machine-controller-manager  after 30s  timeout 30s*  required
  level 2  apps/v1 Deployment cluster-autoscaler          at once*   timeout 30s*  optional

* the default, because the configuration does not set it`,
  );
});

const redesigned = new URL('../support/redesign-config.yaml', import.meta.url).pathname;

test("2.2 4.9 the redesign's configuration is explained: two paths, their time, the pauses, and that it is too late", async () => {
  const { code, out, err } = await validate(undefined, '--config-file', redesigned);
  expect([code, err]).toEqual([0, '']);
  expect(out.split('\n').slice(2).join('\n')).toBe(
    `Settings
  internalKubeConfigSecretName         dws-interal-probe-secret-name
  externalKubeConfigSecretName         dwd-external-probe-secret-name
  internalProbeFailureBackOffDuration  30s
  probeInterval                        20s
  initialDelay                         5s
  probeTimeout                         30s*
  backoffJitterFactor                  0.2
  kcmNodeMonitorGraceDuration          40s*
  failureThreshold                     3
  successThreshold                     1

Probing
  A shoot is probed every 20s to 24s on two paths: the internal one straight to its API server, and
  the external one through the load balancer, as its kubelets go.
  Both have 5s to answer: an eighth of the 40s after which the kube-controller-manager marks a node,
  since probeTimeout is longer. A shoot may set another time than these 40s. 401, 403 and 429 are
  answers, since the API server was reached.
  When the internal path answers and the external one does not, the shoot is cut off, and scaled
  down with 3 such verdicts in a row, which are counted by a probe every 6.667s. When both answer,
  it is connected, and scaled up with the first such verdict.
  When the internal path does not answer, nothing new is scaled, and the external one counts for
  nothing. The next probe comes after 1s, and after twice as long with each failure, up to 20s. With
  3 such failures in a row the shoot is left alone for 30s, and so after each further one, until it
  answers.
  While its internal path answers quickly, a shoot is found to be cut off no later than 42.334s
  after its external path broke. The kube-controller-manager marks no node earlier than 30s after
  that path broke.

When it starts, or becomes the leader
  Each shoot waits 5s to 6s for its first probe, by chance, so that not all are probed in one
  moment. A shoot that carries the watchdog's mark does not wait, since it was left scaled down. Nor
  does one that this replica has followed as a standby.
  Nothing is scaled before a shoot's first answer: what is down stays down until then. A standby
  follows the seed and writes nothing.

Scaling down, one level after the other
  level 0  apps/v1 Deployment kube-controller-manager     after 15s  timeout 45s  required*
           apps/v1 Deployment machine-controller-manager  after 15s  timeout 45s  required*
  level 1  apps/v1 Deployment cluster-autoscaler          after 15s  timeout 45s  required*

Scaling up, one level after the other
  level 0  apps/v1 Deployment cluster-autoscaler          after 10s  timeout 1m0s  required*
  level 1  apps/v1 Deployment kube-controller-manager     after 10s  timeout 1m0s  required*
           apps/v1 Deployment machine-controller-manager  after 10s  timeout 1m0s  required*

* the default, because the configuration does not set it

10 warnings
  name (line 2) has no effect
  namespace (line 3) has no effect
  probeInterval (line 9) is too long: the kube-controller-manager may be scaled down 57.334s after
    the external path broke (24s to the next probe, 18.334s to count the failures, 15s of delays),
    but it may mark nodes from 30s after the break on
  backoffJitterFactor (line 10) is written backOffJitterFactor, which editors and --strict refuse
  dependentResourceInfos[0].scaleDown.replicas (line 23) has no effect
  dependentResourceInfos[0].scaleUp.replicas (line 28) has no effect
  dependentResourceInfos[1].scaleDown.replicas (line 37) has no effect
  dependentResourceInfos[1].scaleUp.replicas (line 42) has no effect
  dependentResourceInfos[2].scaleDown.replicas (line 51) has no effect
  dependentResourceInfos[2].scaleUp.replicas (line 56) has no effect`,
  );
});

const twoPaths = `internalKubeConfigSecretName: inside
externalKubeConfigSecretName: outside
dependentResourceInfos:
- ref: {apiVersion: apps/v1, kind: Deployment, name: kube-controller-manager}
  scaleUp: {level: 0}
  scaleDown: {level: 0}
`;

test("2.2 the older generation's defaults bear a star, and are in time", async () => {
  const { code, out } = await validate(twoPaths, '--strict');
  expect(code).toBe(0);
  for (const line of [
    'internalProbeFailureBackOffDuration  30s*',
    'failureThreshold                     3*',
    'successThreshold                     1*',
  ])
    expect(out).toContain(`\n  ${line}\n`);
  expect(out).not.toContain('nodeLeaseFailureFraction');
  expect(out).not.toContain('lease');
  expect(out).not.toContain('warning');
});

test('2.2 one failure, and an interval of a second, are told as they are', async () => {
  const { out } = await validate(`${twoPaths}failureThreshold: 1\nprobeInterval: 1s\nprobeTimeout: 2s\n`);
  const plain = out.replaceAll(/\s+/g, ' ');
  expect(plain).toContain('Both have 2s to answer');
  expect(plain).toContain('scaled down with the first such verdict. When both answer');
  expect(plain).toContain(
    'the external one counts for nothing. With the first such failure the shoot is left alone for 30s, and so after each',
  );
  const short = await validate(`${twoPaths}failureThreshold: 1\ninternalProbeFailureBackOffDuration: 2s\n`);
  expect(short.out.replaceAll(/\s+/g, ' ')).toContain(
    'The next probe comes after 1s, and after twice as long with each failure, up to 10s. With the first such failure the ' +
      'shoot is left alone for 2s',
  );
});

test('1.3, 2.2 both generations at once are told with their places and the remedy', async () => {
  const { code, err } = await validate(`kubeConfigSecretName: probe\n${twoPaths}`);
  expect(code).toBe(1);
  expect(err).toBe(`./config.yaml cannot be used: 2 problems

  internalKubeConfigSecretName (line 2)
    found:     "inside"
    expected:  nothing beside kubeConfigSecretName: either that one alone, and shoots are judged by
               their leases; or internalKubeConfigSecretName and externalKubeConfigSecretName, and
               they are judged by two paths

  externalKubeConfigSecretName (line 3)
    found:     "outside"
    expected:  nothing beside kubeConfigSecretName: either that one alone, and shoots are judged by
               their leases; or internalKubeConfigSecretName and externalKubeConfigSecretName, and
               they are judged by two paths`);
});

const small = `kubeConfigSecretName: probe
kcmNodeMonitorGraceDuration: 100s
failureThreshold: 2
probeIntervall: 20s
dependentResourceInfos:
- ref: {apiVersion: apps/v1, kind: Deployment, name: a-name-of-a-deployment-that-is-too-long-to-stand-in-a-table}
  optional: yes
  scaleUp: {}
  scaleDown: {level: 10, initialDelay: 1m30s, timeout: 5m}
`;

test('2, 2.1 warnings stand below what the configuration means', async () => {
  const { code, out } = await validate(small);
  expect(code).toBe(0);
  expect(out).toContain('A lease counts as expired 1m15s after its last renewal: three quarters of the 1m40s');
  expect(out).toContain('scaled down with 2 such\n  verdicts in a row.');
  expect(out).toContain('table\n              after 1m30s  timeout 5m0s  optional\n');
  expect(out.slice(out.indexOf('2 warnings'))).toBe(`2 warnings
  probeIntervall (line 4) is unknown and has no effect; did you mean probeInterval?
  dependentResourceInfos[0].scaleUp.level (line 8) is missing, and counts as 0`);
});

test('2.1 an unknown key is an error when strict', async () => {
  const { code, out, err } = await validate(small, '--strict');
  expect([code, out]).toEqual([1, '']);
  expect(err).toBe(`./config.yaml cannot be used: 1 problem

  probeIntervall (line 4)
    found:     an unknown key
    expected:  probeInterval

1 warning
  dependentResourceInfos[0].scaleUp.level (line 8) is missing, and counts as 0`);
});

test('1.3 all problems are reported at once, with place, finding and remedy, and code 1', async () => {
  const { code, out, err } = await validate(`probeInterval: 30
dependentResourceInfos:
- ref: {apiVersion: apps/v1, kind: Deployment, name: kube-controller-manager}
  scaleUp: {level: 0, timeout: "30"}
  scaleDown: {level: 0}
`);
  expect([code, out]).toEqual([1, '']);
  expect(err).toBe(`./config.yaml cannot be used: 3 problems

  kubeConfigSecretName
    found:     nothing
    expected:  the name of the Secret with the shoot's kubeconfig; or, in its place,
               internalKubeConfigSecretName and externalKubeConfigSecretName

  probeInterval (line 1)
    found:     30
    expected:  a duration above 0 with its unit, such as 30s or 1m30s

  dependentResourceInfos[0].scaleUp.timeout (line 4)
    found:     "30"
    expected:  a duration above 0 with its unit, such as 30s or 1m30s: the unit is missing after 30`);
});

test("1.1, 7 Gardener's configuration of the weeder is explained: settings, services, and their dependants", async () => {
  const { code, out, err } = await validate(undefined, '--config-file', gardenersWeeder, '--strict');
  expect([code, err]).toEqual([0, '']);
  const [first = '', , ...rest] = out.split('\n');
  expect(first).toMatch(/ can be used by the weeder\. It means:$/);
  expect(rest.join('\n')).toBe(
    `Settings
  watchDuration  5m0s

Weeding
  A service is available while any of its endpoints is ready. When it becomes available again, its
  dependants in its namespace are looked after for 5m0s.
  A dependant that crash-loops in that time is deleted, so that it starts again at once. If the
  service goes and comes back, the time begins again. Nothing is deleted while it is not available.

When it starts, or becomes the leader
  Every service that is available then has its 5m0s too, so what crash-loops at that moment is
  deleted once. A standby follows the services and deletes nothing.

Services, and the pods that depend on them
  etcd-main-client
    pods whose label gardener.cloud/role is controlplane, and whose label role is apiserver
  kube-apiserver
    pods whose label gardener.cloud/role is controlplane, and whose label role, if there is one, is
      neither apiserver nor main`,
  );
});

test('1.1, 7 every operator has its words; a default bears a star; warnings stand below', async () => {
  const { code, out } = await validate(`servicesAndDependantSelectors:
  etcd:
    podSelectors:
    - matchLabels: {app: "", tier: b}
      matchExpressions:
      - {key: v, operator: Exists}
      - {key: w, operator: DoesNotExist}
      - {key: z, operator: NotIn, values: [a]}
      - {key: in, operator: In, values: [a, b]}
      - {key: notin, operator: In, values: [""]}
    - {}
`);
  expect(code).toBe(0);
  expect(out).toContain('\n  watchDuration  5m0s*\n');
  expect(out.slice(out.indexOf('  etcd\n')).replaceAll(/ +/g, ' ')).toBe(` etcd
 pods whose label app is empty, and whose label in is a or b, and whose label notin is empty, and
 whose label tier is b, and that have a label v, and that have no label w, and whose label z,
 if there is one, is not a
 every pod of the namespace

* the default, because the configuration does not set it

1 warning
 servicesAndDependantSelectors.etcd.podSelectors[1] (line 11) selects every pod in the service's
 namespace, whether it depends on the service or not`);
});

test("1.3, 7 every problem of a weeder's configuration is told at once, with its place", async () => {
  const { code, out, err } = await validate(`watchDuration: 5
servicesAndDependantSelectors:
  etcd:
    podSelectors:
    - matchExpressions:
      - {key: app, operator: Exists}
      - {key: role, operator: In, values: [yes]}
`);
  expect([code, out]).toEqual([1, '']);
  expect(err).toBe(`./config.yaml cannot be used: 2 problems

  watchDuration (line 1)
    found:     5
    expected:  a duration above 0 with its unit, such as 30s or 1m30s

  servicesAndDependantSelectors.etcd.podSelectors[0].matchExpressions[1].values[0] (line 7)
    found:     true
    expected:  a label's value: "" or letters, digits, "-", "_" and ".", at most 63 of them, a
               letter or digit first and last, in quotes: YAML takes yes, no, on and off without
               them for true and false`);
});

test('1.1 an operator can say whose configuration it is; otherwise the keys show it', async () => {
  const odd = 'probeInterval: 30\n';
  const asProbers = await validate(odd);
  expect(asProbers.code).toBe(1);
  expect(asProbers.err).toContain('kubeConfigSecretName\n    found:     nothing');
  expect(asProbers.err).toMatch(/because its keys do not show whose it is\. --role says it\.$/);
  const asWeeders = await validate(odd, '--role=WEEDER');
  expect(asWeeders.err).toContain('servicesAndDependantSelectors\n    found:     nothing');
  expect(asWeeders.err).not.toContain('--role');
  const nobodys = await validate(small, '--role=gardener');
  expect([nobodys.code, nobodys.err.split('\n')[0]]).toEqual([2, expect.stringContaining('--role')]);
});

test("1.3 a file that is something else is one problem, and the other role's configuration is named", async () => {
  const { code, err } = await validate(undefined, `--config-file=${gardenersWeeder}`, '--role', 'prober');
  expect(code).toBe(1);
  expect(err.slice(err.indexOf('\n'))).toBe(`

  the file
    found:     a configuration of the weeder
    expected:  a configuration of the prober, with at least kubeConfigSecretName and
               dependentResourceInfos`);
});

test.for([
  ['prober', 'prober'],
  ['two-paths', 'prober'],
  ['weeder', 'weeder'],
] as const)('1.1 2.2 the example of the name %s means something, without a warning', async ([example, role]) => {
  const { code, out, err } = await validate(undefined, `--example=${example}`);
  expect([code, err]).toEqual([0, '']);
  const meaning = await validate(`${out}\n`, '--strict', `--role=${role}`);
  expect([meaning.code, meaning.err]).toEqual([0, '']);
  expect(meaning.out).not.toContain('warning');
});

test('1.3 a missing file is a problem like others', async () => {
  const { code, err } = await validate(undefined, '--config-file=./none.yaml');
  expect(code).toBe(1);
  expect(err).toContain('./none.yaml cannot be used: 1 problem\n\n  the file\n    found:     no such file');
  expect(err).not.toContain('--role');
});

test('1.1, 1.2 help ends with code 0, a wrong command line with code 2', async () => {
  const help = await validate(undefined, '--help');
  expect([help.code, help.err]).toEqual([0, '']);
  expect(help.out).toContain('Usage: dependency-watchdog validate [flags]\n');
  const wrong = await validate(undefined, 'config.yaml');
  expect([wrong.code, wrong.out]).toEqual([2, '']);
  expect(wrong.err).toMatch(/^dependency-watchdog validate: unexpected argument "config.yaml"/);
});
