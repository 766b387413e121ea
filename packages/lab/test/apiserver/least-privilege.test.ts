import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { kinds } from '@dwd/simulator/store/embedded-kinds.ts';
import { workloadObject } from '@dwd/simulator/shoot/shoot-objects.ts';
import { seedUser } from '@dwd/testing/gardener-rbac.ts';
import { balancerBefore } from '@dwd/simulator/api/load-balancer.ts';
import { isOfKind, type Program } from '@dwd/testing/program.ts';
import { auditedFromNow } from './audited.ts';
import { ForeignDependants, foreignRole } from './foreign-dependants.ts';
import { leasePath, RealStage, gardenersRates, proberConfig, started, RealPlainDependants } from './real-stage.ts';
import { needs } from './privilege-needs.ts';
import { granted, grantsForFailures, privilegeReport, reportTable, unusedGrants } from './privilege-report.ts';
import { realSeed, realShoot, realTier } from './real-tier.ts';
import { withoutPermission } from './without-permission.ts';

const guarded = 'shoot--lp--guarded';
const foreign = 'shoot--lp--foreign';
const weeded = 'shoot--lp--weeded';

const config = proberConfig();
const weederConfig = `
watchDuration: 3s
servicesAndDependantSelectors:
  least-privilege-etcd:
    podSelectors:
    - matchLabels: {role: apiserver}
`;

const service = 'least-privilege-etcd';
const electing = [
  '--enable-leader-election',
  '--leader-elect-lease-duration=8s',
  '--leader-elect-renew-deadline=6s',
  '--leader-elect-retry-period=500ms',
];

const seed = realSeed();
const shoot = realShoot();
const audits = [auditedFromNow(realTier().seed.auditLog), auditedFromNow(realTier().shoot.auditLog)];
const audited = () => audits.flatMap((told) => told());

/** What is polled for comes within a second, unless the machine is busy. */
const patience = { timeout: 20_000 };

const saidOf = ({ lines }: Program, kind: string) => lines.filter((line) => isOfKind(line, kind));
/** Said of the first namespace that refuses, whichever that is. */
const refusedEvents = ({ lines }: Program) =>
  lines.filter(({ msg }) => msg.startsWith('no Kubernetes events are written: '));

beforeAll(async () => {
  // What another test has left would be probed as well, and need not be created.
  await seed.call('DELETE', '/apis/extensions.gardener.cloud/v1alpha1/clusters');
  for (const role of ['prober', 'weeder'] as const) await seed.call('DELETE', leasePath(role), undefined, [404]);
});

afterAll(() => Promise.all([seed.close(), shoot.close()]));

test('8, 6.4, 6.5, 6.6, 4.8, 9.5 two probers with what Gardener grants: one leads through an outage and a conflict, the other takes over and heals it', async (context) => {
  const scene = new RealStage(seed, shoot, guarded);
  context.onTestFinished(() => scene.leave());
  await scene.enter(config);

  const flags = [...gardenersRates, ...electing];
  const balancer = await balancerBefore(seed.url);
  context.onTestFinished(() => balancer.stop());
  const first = started(context, 'prober', seed, { config, server: balancer.url, flags });
  await first.line('leadership', { leadership: 'leading' });
  // In calm, and not amid the outage.
  await first.line(/^no Kubernetes events are written: /);
  const second = started(context, 'prober', seed, { config, flags });
  await second.line('the first lists of the seed are in');
  await first.line('state changed', { shoot: guarded, to: 'probing' });
  const { holderIdentity, renewTime } = (await scene.leaseOf('prober'))!;
  await expect.poll(() => scene.leaseOf('prober'), patience).not.toMatchObject({ renewTime });

  // What it sees is old before its write arrives. Without this it would often be quicker than all who write in between.
  await balancer.setFault({ kind: 'slow', delay: 200 });
  await scene.disturbing('kube-controller-manager', async () => {
    await scene.cutOff();
    await first.line('write came to nothing', { outcome: 'conflict' });
  });
  await balancer.heal();
  await first.line('state changed', { shoot: guarded, to: 'scaledDown' });
  expect(await scene.replicas()).toEqual({ 'kube-controller-manager': 0, 'machine-controller-manager': 0 });

  first.kill('SIGTERM');
  expect(await first.end()).toMatchObject({ code: 0 });
  await second.line('leadership', { leadership: 'leading' });
  expect(await scene.leaseOf('prober')).not.toMatchObject({ holderIdentity });
  await second.line('state changed', { shoot: guarded, to: 'scaledDown' });
  await scene.heal();
  await second.line('state changed', { shoot: guarded, from: 'scalingUp', to: 'probing' });
  expect(await scene.replicas()).toEqual({ 'kube-controller-manager': 1, 'machine-controller-manager': 1 });
  second.kill('SIGTERM');
  expect(await second.end()).toMatchObject({ code: 0 });
  expect(await scene.leaseOf('prober')).toMatchObject({ holderIdentity: '', leaseTransitions: 1 });

  for (const prober of [first, second]) {
    expect(refusedEvents(prober)).toHaveLength(1);
    expect(prober.lines.filter(({ level }) => level === 'error')).toEqual([]);
  }
});

test('6.6, 6.1, 6.8, 9.4 a StatefulSet and a custom resource as dependants, which Gardener does not grant: each refusal is said once, and the rest is scaled; once they are granted, so are they', async (context) => {
  const scene = new RealStage(seed, shoot, foreign);
  context.onTestFinished(() => scene.leave());
  const others = new ForeignDependants(seed, foreign);
  context.onTestFinished(() => others.revoke());
  const configText = config.trimEnd() + ForeignDependants.configText;
  await scene.enter(configText);
  await others.create();

  // On a busy machine probes come between the leases that are healed, and a shoot that is scaled down often is told on this level.
  const flags = [...gardenersRates, '--zap-log-level=debug'];
  const prober = started(context, 'prober', seed, { config: configText, flags });
  await prober.line('the first lists of the seed are in');
  const unread = ForeignDependants.keys;
  for (const resource of unread) await prober.line('dependant may not be read', { shoot: foreign, resource });
  await scene.cutOff();
  await prober.line('state changed', { shoot: foreign, to: 'scaledDown' });
  expect(await scene.replicas()).toEqual({ 'kube-controller-manager': 0, 'machine-controller-manager': 0 });
  await scene.heal();
  await expect
    .poll(() => scene.replicas(), patience)
    .toEqual({ 'kube-controller-manager': 1, 'machine-controller-manager': 1 });

  const refusals = (resource: string) =>
    audited().filter((one) => one.namespace === foreign && one.resource === resource && one.forbidden).length;
  // At the start and at the beginning of the way down; else there are pauses of half a minute and more.
  for (const resource of ['statefulsets', 'widgets', 'widgets/scale'])
    expect(refusals(resource)).toBeLessThanOrEqual(8);
  // A scale needs two requests. Once one is refused the other is cut, often before the server has seen it: so reads are counted.
  for (const name of ['StatefulSet/kine', 'Widget/operator'])
    expect(
      prober.lines.filter(({ event }) => typeof event === 'string' && event.includes(`of ${name} refused`)).length,
    ).toBeGreaterThanOrEqual(2);
  const said = saidOf(prober, 'dependant may not be read');
  expect(new Set(said.map(({ resource }) => resource))).toEqual(new Set(unread));
  expect(said).toHaveLength(unread.length);
  const errors = prober.lines.filter(({ level }) => level === 'error');
  const told = /^(still )?cannot watch statefulsets\/kine on https:.*: 403 Forbidden: grant .* get, list and watch$/;
  expect(errors.filter(({ msg }) => !told.test(msg))).toEqual([]);
  expect(errors).not.toEqual([]);

  expect(await others.replicas()).toEqual([1, 1]);
  await others.grant(seedUser);
  await scene.cutOff();
  await expect.poll(() => others.replicas(), patience).toEqual([0, 0]);
  for (const resource of unread) await prober.line('dependant may be read again', { shoot: foreign, resource });
  await scene.heal();
  await expect.poll(() => others.replicas(), patience).toEqual([1, 1]);
  prober.kill('SIGTERM');
  expect(await prober.end()).toMatchObject({ code: 0 });
});

test('7.2, 7.3, 8, 9.5 the weeder with what Gardener grants: windows, lists, watches, deletions, events in garden and none elsewhere', async (context) => {
  const garden = new RealPlainDependants(seed, 'garden');
  const scene = new RealPlainDependants(seed, weeded);
  await scene.enter();
  const dependant = { role: 'apiserver' };
  await garden.add('lp-in-garden', dependant, true);
  await garden.slice(service, true);
  await scene.add('early', dependant, true);
  await scene.add('late', dependant, false);
  await scene.add('stranger', { role: 'main' }, true);
  await scene.slice(service, false);

  const weeder = started(context, 'weeder', seed, { config: weederConfig, flags: electing });
  await weeder.line('pod deleted', { namespace: 'garden', pod: 'lp-in-garden' });
  await expect.poll(() => garden.eventsOn('lp-in-garden'), patience).toEqual(['Weeded']);
  expect(await scene.left()).toEqual(['early', 'late', 'stranger']);

  await scene.slice(service, true);
  await weeder.line('pod deleted', { namespace: weeded, pod: 'early' });
  await scene.turn('late', true);
  await weeder.line('pod deleted', { namespace: weeded, pod: 'late' });
  await weeder.line('state changed', { namespace: weeded, to: 'settled', window: 'closed', deleted: 2, left: 0 });
  expect(await scene.left()).toEqual(['stranger']);
  weeder.kill('SIGTERM');
  expect(await weeder.end()).toMatchObject({ code: 0 });
  expect(await new RealStage(seed, shoot, weeded).leaseOf('weeder')).toMatchObject({ holderIdentity: '' });
  expect(await scene.eventsOn('early')).toEqual([]);
  expect(refusedEvents(weeder)).toHaveLength(1);
  expect(weeder.lines.filter(({ level }) => level === 'error')).toEqual([]);
});

test('8, 4.8, 6.6, 7.3, 9.5 in all this every permission was used that is not known to be for others, and refused was nothing else', () => {
  const byGardener = audited().filter(({ grantedBy }) => !grantedBy.includes(foreignRole));
  // Kubernetes itself lets everybody ask what they may do.
  const questions = byGardener.filter(({ resource }) => resource === 'selfsubjectaccessreviews');
  expect(new Set(questions.map(({ code }) => code))).toEqual(new Set([201]));
  const told = privilegeReport(byGardener.filter((one) => !questions.includes(one)));
  process.stderr.write(`${reportTable(told, { ...unusedGrants, ...grantsForFailures })}\n`);
  const listed = Object.keys(unusedGrants);
  // One text, so that the message of a failure names them.
  const gone = listed.filter((one) => !granted.has(one)).join('; ');
  expect(gone, 'listed as unused, and not granted any more').toBe('');
  const used = listed.filter((one) => told.used.has(one)).join('; ');
  expect(used, 'listed as unused, and used after all').toBe('');
  const known = [...listed, ...Object.keys(grantsForFailures)];
  const unused = [...granted.keys()].filter((one) => !told.used.has(one) && !known.includes(one)).join('; ');
  expect(unused, 'granted, and used by nobody').toBe('');
  expect(told.unexplained, 'answered by the grace of something else').toEqual([]);
  expect([...told.refused].toSorted()).toEqual([
    `prober: create events in ${foreign}`,
    `prober: create events in ${guarded}`,
    `prober: get apps/statefulsets in ${foreign}`,
    `prober: get least-privilege.example/widgets in ${foreign}`,
    `prober: get least-privilege.example/widgets/scale in ${foreign}`,
    'prober: list apps/statefulsets',
    `weeder: create events in ${weeded}`,
  ]);
});

const used = [...granted].filter(([text]) => unusedGrants[text] === undefined);

test('8, 4.8, 6.6, 7.3, 9.5 for each permission that is used there is known what needs it', () => {
  expect(Object.keys(needs).toSorted()).toEqual(used.map(([text]) => text).toSorted());
});

describe('8, 4.8, 6.6, 7.3, 9.5 what needs a permission works with it, and is refused without it', () => {
  const namespace = 'shoot--lp--needs';
  const scene = new RealPlainDependants(seed, namespace);
  let pods = 0;
  const addPod = () => scene.add(`needed-${++pods}`, { role: 'main' }, true);

  beforeAll(async () => {
    await scene.enter();
    const deployment = workloadObject(kinds.deployment, namespace, 'kube-controller-manager', 1);
    await seed.call('POST', `/apis/apps/v1/namespaces/${namespace}/deployments`, deployment);
  });

  test.each(used)('%s', async (text, { file, permission }) => {
    const need = () => needs[text]!({ namespace, addPod });
    expect(await need()).toBe(undefined);
    const server = file === 'shoot/rbac.yaml' ? shoot : seed;
    expect(await withoutPermission(server, file, permission, need)).toMatch(/forbidden|403/i);
  });
});
