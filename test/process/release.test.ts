import { expect, test } from 'vitest';
import { runRelease } from '../../src/commands/release.ts';
import { runStatus } from '../../src/commands/status.ts';
import type { EmbeddedShoot } from '@dwd/simulator/shoot/embedded-shoot.ts';
import { heardIo } from '@dwd/testing/heard-io.ts';
import { Program } from '@dwd/testing/program.ts';
import { isWrite } from '@dwd/testing/embedded-stage.ts';
import { leads, originalReplicas, quickConfig, seedStage, type SeedStage } from '@dwd/testing/seed-stage.ts';
import { mark, record } from '@dwd/testing/stage.ts';

const allDown = Object.fromEntries(Object.keys(originalReplicas).map((name) => [name, 0]));

/** As a prober that was killed in an outage leaves it. */
function leaveDown(shoot: EmbeddedShoot): void {
  for (const name of shoot.dependants.names) {
    shoot.dependants.annotate(name, { [mark]: '', [record]: String(originalReplicas[name]) });
    shoot.dependants.scale(name, 0);
  }
}

function releaseArgs(stage: Pick<SeedStage, 'configFile' | 'kubeconfigOf'>, flags: readonly string[]): string[] {
  return [`--config-file=${stage.configFile}`, `--kubeconfig=${stage.kubeconfigOf('operator')}`, ...flags];
}

/** `release` within this process, which spares the start of another; its lines as one text. */
async function release(stage: Pick<SeedStage, 'configFile' | 'kubeconfigOf'>, ...flags: readonly string[]) {
  const [out, err]: [string[], string[]] = [[], []];
  const io = { out: (line: string) => void out.push(line), err: (line: string) => void err.push(line), env: {} };
  const code = await runRelease(releaseArgs(stage, flags), io);
  return { code, out: out.join('\n'), err: err.join('\n') };
}

test('1.1, 6.5, 6.10 what a killed prober left down is given back, level by level; not while one leads, and not by a dry run', async (context) => {
  const stage = await seedStage(context);
  // A Lease that outlives the commands below, also on a busy machine.
  const prober = stage.prober('prober', '--enable-leader-election', '--leader-elect-lease-duration=10m');
  await prober.line('state changed', { to: 'probing' });
  stage.cutOff();
  await prober.line('state changed', { to: 'scaledDown' });
  prober.kill('SIGKILL');
  await prober.end();
  const holder = String(stage.lease?.['holderIdentity']);

  const refused = await release(stage);
  expect(refused).toMatchObject({ code: 1, out: '' });
  expect(refused.err).toMatch(
    /^dependency-watchdog release: the prober \S+ leads: it renewed its Lease .* End it first, or say --force\.$/,
  );
  expect(refused.err).toContain(holder);
  const dry = await release(stage, '--dry-run');
  expect(dry).toMatchObject({ code: 0, err: '' });
  for (const [name, count] of Object.entries(originalReplicas))
    expect(dry.out).toContain(`would scale Deployment ${name} from 0 to ${count} and remove the mark`);
  expect(dry.out).toMatch(/^The prober \S+ leads: .* Without --dry-run this would be refused\./);
  expect(dry.out).toMatch(/1 shoot looked at: 3 resources would be released; this was a dry run, nothing was written$/);
  expect(stage.writes('operator')).toEqual([]);
  expect(stage.replicas()).toEqual(allDown);

  const downs = stage.scaled.length;
  const { code, stdout, stderr } = await new Program(context, ['release', ...releaseArgs(stage, ['--force'])]).end();
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^The prober \S+ leads: .* It may scale down again what is released\.\n/);
  expect(stdout).toMatch(/1 shoot looked at: 3 resources released\n$/);
  expect(stage.scaled.slice(downs).map(({ name }) => name)).toEqual([
    'kube-controller-manager',
    'machine-controller-manager',
    'cluster-autoscaler',
  ]);
  expect(stage.replicas()).toEqual(originalReplicas);
  expect(stage.annotations()).toEqual([]);
});

/** Of each shoot its lever, and whether it is given back: nothing but gardenlet's own zero excludes one (SPEC 3.1, 3.2). */
const shoots: Readonly<Record<string, readonly [lever: (shoot: EmbeddedShoot) => void, back: boolean]>> = {
  'shoot--a--awake': [() => undefined, true],
  'shoot--a--asleep': [(shoot) => shoot.hibernate(), false],
  'shoot--a--moving': [(shoot) => shoot.migrate(), false],
  'shoot--a--new': [(shoot) => shoot.lastOperation('Create', 'Processing'), true],
  'shoot--a--restored': [(shoot) => shoot.lastOperation('Restore', 'Error'), true],
  'shoot--a--failed': [(shoot) => shoot.lastOperation('Reconcile', 'Failed'), true],
};

test('1.1, 3.1, 3.2 a shoot that hibernates or migrates is left alone and named, the others are released, and a second time nothing is left to do', async (context) => {
  const stage = await seedStage(context, { shoots: Object.keys(shoots) });
  for (const shoot of stage.seed.shoots) {
    leaveDown(shoot);
    shoots[shoot.name]![0](shoot);
  }

  const { code, out, err } = await release(stage);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toMatch(/^shoot--a--asleep: left alone, .*hibernat/m);
  expect(out).toMatch(/^shoot--a--moving: left alone, the shoot migrates/m);
  for (const shoot of stage.seed.shoots) {
    const [, back] = shoots[shoot.name]!;
    expect(stage.replicas(shoot), `of ${shoot.name}`).toEqual(back ? originalReplicas : allDown);
    expect(stage.annotations(shoot).length === 0, `no annotation of ${shoot.name}`).toBe(back);
  }

  const written = stage.writes().length;
  expect(await release(stage, '--shoot=shoot--a--awake')).toMatchObject({
    code: 0,
    err: '',
    out: expect.stringMatching(/1 shoot looked at: nothing to release, it carries no mark of the watchdog$/),
  });
  expect(stage.writes().length).toBe(written);
  const unknown = await release(stage, '--shoot=shoot--a--awkae');
  expect(unknown.code).toBe(1);
  expect(unknown.err).toContain('no Cluster shoot--a--awkae; did you mean shoot--a--awake?');
});

test('1.1, 6.6 what cannot be written is said, with code 1, and does not hold up the rest; a conflict is retried', async (context) => {
  const stage = await seedStage(context);
  leaveDown(stage.shoot);
  let tries = 0;
  stage.permits = (asked) => {
    if (!isWrite(asked)) return true;
    // Somebody else writes first, once. The controller, which writes the status, may do so too.
    if (asked.name === 'cluster-autoscaler' && tries++ === 0)
      stage.shoot.dependants.annotate('cluster-autoscaler', { 'example.org/touched': 'yes' });
    return asked.name !== 'machine-controller-manager';
  };

  const { code, out } = await release(stage);
  expect(code).toBe(1);
  expect(out).toMatch(/Deployment machine-controller-manager could not be released: .*forbidden/);
  expect(out).toMatch(/1 shoot looked at: 2 resources released, 1 resource could not be released$/);
  expect(stage.replicas()).toEqual({ ...originalReplicas, 'machine-controller-manager': 0 });
  expect(tries).toBeGreaterThanOrEqual(2);
});

test('1.1, 6.6 what cannot be read is said, with code 1: nobody knows whether it was left down', async (context) => {
  const etcd = { group: 'druid.gardener.cloud', version: 'v1alpha1', kind: 'Etcd', plural: 'etcds' } as const;
  const stage = await seedStage(context, {
    configText: `${quickConfig}- ref: {apiVersion: druid.gardener.cloud/v1alpha1, kind: Etcd, name: etcd-main}
  scaleUp: {level: 0}
  scaleDown: {level: 0}
`,
    moreKinds: [
      {
        ...etcd,
        namespaced: true,
        custom: true,
        hasStatus: true,
        scale: { specReplicas: ['spec', 'replicas'], statusReplicas: ['status', 'replicas'] },
      },
    ],
  });
  stage.shoot.dependants.scale('etcd-main', 0);
  stage.shoot.dependants.annotate('etcd-main', { [mark]: '', [record]: '3' });

  const { code, out } = await release(stage);
  expect(code).toBe(1);
  expect(out).toMatch(/Etcd etcd-main could not be released: .*forbidden/);
});

test('1.1, 8 where no prober elects, that is said, since a prober may run without election', async (context) => {
  const stage = await seedStage(context);
  const { code, out } = await release(stage);
  expect(code).toBe(0);
  expect(out).toMatch(
    /^There is no Lease garden\/dwd-prober-leader-election: no prober elects there\. One that runs without election, .* may scale down again what is released\./,
  );
});

test('1.1, 6.5 what stands at 0 without our mark is named, and left as it is', async (context) => {
  const stage = await seedStage(context);
  stage.shoot.dependants.scale('cluster-autoscaler', 0);
  const { code, out } = await release(stage);
  expect(code).toBe(0);
  expect(out).toContain('Deployment cluster-autoscaler is at 0 replicas, but not by the watchdog; it is left as it is');
  expect(stage.replicas()).toEqual({ ...originalReplicas, 'cluster-autoscaler': 0 });
  expect(stage.writes('operator')).toEqual([]);
});

test('1.1 a prober that takes the lead while it works stops it within 2 s, and what is left is said, with code 1; with --force it goes on', async (context) => {
  const stage = await seedStage(context, { shoots: ['shoot--a--1', 'shoot--a--2', 'shoot--a--3'] });
  for (const shoot of stage.seed.shoots) leaveDown(shoot);
  const isDown = () => stage.seed.shoots.filter((shoot) => Object.values(stage.replicas(shoot)).includes(0)).length;
  let taken: number | undefined;
  stage.permits = (asked) => {
    if (taken === undefined && isWrite(asked)) {
      taken = asked.at;
      leads(stage);
    }
    return true;
  };

  // Two writes a second, of which each dependant needs two.
  const { code, out, err } = await release(stage, '--kube-api-qps=0.4', '--kube-api-burst=20');
  expect({ code, left: isDown() }).toEqual({ code: 1, left: 3 });
  expect(err).toMatch(
    /^dependency-watchdog release: it has stopped, with 2 shoots not looked at: the prober dwd-prober-5d9c leads: it renewed .* End it first, or say --force\.$/,
  );
  expect(out).toMatch(/could not be released: the prober dwd-prober-5d9c leads/);
  expect(stage.writes().at(-1)!.at - taken!).toBeLessThan(4_000);

  expect(await release(stage, '--force')).toMatchObject({ code: 0 });
  expect(isDown()).toBe(0);
});

test('1.1 where nobody can read any more who leads, nothing is written, and that is said of each', async (context) => {
  const stage = await seedStage(context);
  leaveDown(stage.shoot);
  let isRead = false;
  stage.permits = ({ resource, verb }) => {
    isRead ||= resource === 'deployments' && verb === 'patch';
    return !isRead || resource !== 'leases';
  };
  const { code, out } = await release(stage, '--kube-api-qps=0.2', '--kube-api-burst=20');
  expect(code).toBe(1);
  expect(out).toMatch(/could not be released: who leads cannot be read: get leases .*forbidden/);
  expect(stage.annotations()).not.toEqual([]);
});

/** As the seed is seen by who has a configuration that calls the machine-controller-manager otherwise, and has no cluster-autoscaler. */
function rolledOut(stage: SeedStage): Pick<SeedStage, 'configFile' | 'kubeconfigOf'> {
  const [head = '', machines = '', , controllers = ''] = quickConfig.split('- ref');
  const renamed = machines
    .replace('name: machine-controller-manager', 'name: machines-v2')
    .concat('  optional: true\n');
  const configFile = stage.file('rolled-out.yaml', [head, renamed, controllers].join('- ref'));
  return { configFile, kubeconfigOf: (user) => stage.kubeconfigOf(user) };
}

test('1.1 6.5 9.8 what left the configuration, or got another name, while it was at 0 is at odds in `status`, and given back by `release`, after all that has a level; not where the shoot is left alone', async (context) => {
  const stage = await seedStage(context, { shoots: ['shoot--a--awake', 'shoot--a--asleep', 'shoot--a--well'] });
  leads(stage);
  const [awake, asleep] = stage.seed.shoots;
  leaveDown(awake!);
  leaveDown(asleep!);
  asleep!.hibernate();
  const seen = rolledOut(stage);

  const args = [`--config-file=${seen.configFile}`, `--kubeconfig=${stage.kubeconfigOf('operator')}`];
  const { io, out } = heardIo();
  expect(await runStatus(args, io)).toBe(1);
  const rows = out.join('\n');
  expect(rows).toMatch(
    /shoot--a--awake .*Deployment machine-controller-manager is at 0 replicas with the mark, and not in the configuration/,
  );
  expect(rows).toMatch(/shoot--a--asleep .*Deployment cluster-autoscaler carries the mark, and nobody takes it away/);
  expect(rows).toMatch(/shoot--a--well +watched/);
  expect(rows).toContain('3 shoots: 1 scaled down, 1 left alone, 1 watched; 2 are at odds');

  const dry = await release(seen, '--dry-run');
  expect(dry.out).toContain('would scale Deployment machine-controller-manager from 0 to 3 and remove the mark');
  const released = await release(seen, '--force');
  expect(released).toMatchObject({ code: 0, err: '' });
  expect(released.out).toMatch(/^shoot--a--asleep: left alone, /m);
  expect(released.out).toMatch(/3 shoots looked at: 3 resources released, 1 shoot left alone$/);
  expect(stage.scaled.at(-3)).toMatchObject({ name: 'kube-controller-manager', to: 2 });
  expect(stage.replicas(awake)).toEqual(originalReplicas);
  expect(stage.annotations(awake)).toEqual([]);
  expect(stage.replicas(asleep)).toEqual(allDown);
  expect(await release(seen, '--force', 'awake')).toMatchObject({ code: 0 });
});

/** With an Etcd of this name. */
const withEtcd = (
  name: string,
) => `${quickConfig}- ref: {apiVersion: druid.gardener.cloud/v1alpha1, kind: Etcd, name: ${name}}
  optional: true
  scaleUp: {level: 0}
  scaleDown: {level: 0}
`;

test('1.1 6.5 6.6 of another kind, too, where it may be listed; where it may not, that is said, and is no failure', async (context) => {
  const etcd = { group: 'druid.gardener.cloud', version: 'v1alpha1', kind: 'Etcd', plural: 'etcds' } as const;
  let mayList = false;
  const stage = await seedStage(context, {
    configText: withEtcd('etcd-main'),
    moreKinds: [
      {
        ...etcd,
        namespaced: true,
        custom: true,
        hasStatus: true,
        scale: { specReplicas: ['spec', 'replicas'], statusReplicas: ['status', 'replicas'] },
      },
    ],
    mayAlso: ({ resource, verb }) => resource.startsWith('etcds') && (mayList || verb !== 'list'),
  });
  stage.shoot.dependants.scale('etcd-main', 0);
  stage.shoot.dependants.annotate('etcd-main', { [mark]: '', [record]: '3' });
  const configFile = stage.file('renamed.yaml', withEtcd('etcd-other'));
  const seen = { configFile, kubeconfigOf: (user: string) => stage.kubeconfigOf(user) };

  const refused = await release(seen);
  expect(refused.code).toBe(0);
  expect(refused.err).toMatch(
    /^dependency-watchdog release: nobody knows whether a resource of the kind Etcd carries the mark that is not in the configuration: .*forbidden/,
  );
  mayList = true;
  expect(await release(seen)).toMatchObject({
    code: 0,
    err: '',
    out: expect.stringContaining('scaled Etcd etcd-main from 0 to 3 and removed the mark'),
  });
  expect(stage.shoot.dependants.get('etcd-main')).toMatchObject({ desired: 3, annotations: {} });
});
