import { afterAll, beforeAll, expect, test } from 'vitest';
import { runRelease } from 'dependency-watchdog/commands/release.ts';
import { heardIo } from '@dwd/testing/heard-io.ts';
import { mark, record } from '@dwd/testing/stage.ts';
import { RealStage, fileOf, proberConfig } from './real-stage.ts';
import { realSeed, realShoot } from './real-tier.ts';

const shoot = 'shoot--release--held';
const name = 'machine-controller-manager';
const policies = '/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicies';

const bindings = policies.replace('policies', 'policybindings');

const seed = realSeed();
const scene = new RealStage(seed, realShoot(), shoot);
const config = proberConfig();
const deployment = `/apis/apps/v1/namespaces/${shoot}/deployments/${name}`;

async function release() {
  const { io, out, err } = heardIo();
  const code = await runRelease(
    [
      `--config-file=${fileOf('release.yaml', config)}`,
      `--kubeconfig=${fileOf('release.kubeconfig', seed.kubeconfig('admin'))}`,
      // The Lease of other tests' probers is not ours to judge by.
      '--leader-election-namespace=default',
      `--shoot=${shoot}`,
    ],
    io,
  );
  return { code, out: out.join('\n'), err: err.join('\n') };
}

type Seen = Readonly<{ metadata: { annotations?: Readonly<Record<string, string>> }; spec: { replicas: number } }>;

async function seen() {
  const { metadata, spec } = (await seed.call('GET', deployment)).body as Seen;
  const { [mark]: isMarked, [record]: recorded } = metadata.annotations ?? {};
  return { replicas: spec.replicas, marked: isMarked !== undefined, recorded };
}

/** As a prober that was killed in an outage leaves it. */
async function leaveDown(): Promise<void> {
  await seed.call('PATCH', deployment, {
    metadata: { annotations: { [mark]: '', [record]: '2' } },
    spec: { replicas: 0 },
  });
}

/** Whoever writes a Deployment of the shoot, its replicas stay at 0. */
async function hold(): Promise<void> {
  await seed.call('POST', policies, {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'MutatingAdmissionPolicy',
    metadata: { name: shoot },
    spec: {
      failurePolicy: 'Fail',
      reinvocationPolicy: 'Never',
      matchConstraints: {
        namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': shoot } },
        resourceRules: [
          { apiGroups: ['apps'], apiVersions: ['v1'], operations: ['UPDATE'], resources: ['deployments'] },
        ],
      },
      matchConditions: [{ name: 'it', expression: `object.metadata.name == '${name}'` }],
      mutations: [
        {
          patchType: 'ApplyConfiguration',
          applyConfiguration: { expression: 'Object{spec: Object.spec{replicas: 0}}' },
        },
      ],
    },
  });
  await seed.call('POST', bindings, {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'MutatingAdmissionPolicyBinding',
    metadata: { name: shoot },
    spec: { policyName: shoot },
  });
  const asked = async () =>
    ((await seed.call('PATCH', `${deployment}?dryRun=All`, { spec: { replicas: 1 } })).body as Seen).spec.replicas;
  await expect.poll(asked, { timeout: 60_000 }).toBe(0);
}

async function letGo(): Promise<void> {
  await seed.call('DELETE', `${bindings}/${shoot}`, undefined, [404]);
  await seed.call('DELETE', `${policies}/${shoot}`, undefined, [404]);
}

beforeAll(() => scene.enter(config));

afterAll(async () => {
  await letGo();
  await scene.leave();
});

test('6.8 L1 what a policy holds at 0 on a real API server is said to stand there, with code 1, and keeps mark and record; it comes back with its replicas once the policy is gone', async () => {
  await leaveDown();
  await hold();
  const { code, out } = await release();
  expect(await seen()).toEqual({ replicas: 0, marked: true, recorded: '2' });
  expect(out).not.toContain('from 0 to 2');
  expect(out).toContain(
    `Deployment ${name} could not be released: the seed took the write, and something there undid it, 6 times: it is at 0 of 2 replicas, and still carries the mark`,
  );
  expect(code).toBe(1);

  const later = new Promise<void>((resolve) => setTimeout(resolve, 1_500)).then(letGo);
  const again = await release();
  await later;
  expect(again).toMatchObject({ code: 0, err: '' });
  expect(again.out).toContain(`${shoot}: scaled Deployment ${name} from 0 to 2 and removed the mark`);
  expect(await seen()).toEqual({ replicas: 2, marked: false, recorded: undefined });
}, 120_000);
