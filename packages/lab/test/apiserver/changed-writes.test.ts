import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from 'dependency-watchdog/adapters/clock/wall-clock.ts';
import { kubeScaler } from 'dependency-watchdog/adapters/seed/scaler.ts';
import { dueChange } from 'dependency-watchdog/domain/prober/due-change.ts';
import type { PresentResource, ResourceChange, WriteAnswer } from 'dependency-watchdog/domain/prober/resource-view.ts';
import { addWorkload } from '../../real/control-plane.ts';
import { tolerating } from '../../real/operator-client.ts';
import { realSeed } from './real-tier.ts';
import { asUser } from './role-on-seed.ts';

const seed = realSeed();
const shoot = 'shoot--changed--writes';
const ref = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'changed' };
const policies = '/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicies';
const bindings = '/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicybindings';
const policy = 'changed-writes';

beforeAll(async () => {
  await seed.operator.core.createNamespace({ body: { metadata: { name: shoot, labels: { changed: 'writes' } } } });
  await addWorkload(seed.operator, shoot, { kind: 'Deployment', name: ref.name, role: 'changed', replicas: 2 });
});
afterAll(async () => {
  await policed(undefined);
  await tolerating([404], seed.operator.core.deleteNamespace({ name: shoot }));
});

/** From now on a policy of the seed sets the replicas of each write to this Deployment; or none does. */
async function policed(replicas: number | undefined): Promise<void> {
  await seed.call('DELETE', `${bindings}/${policy}`, undefined, [404]);
  await seed.call('DELETE', `${policies}/${policy}`, undefined, [404]);
  if (replicas === undefined) return;
  const apiVersion = 'admissionregistration.k8s.io/v1';
  const metadata = { name: policy };
  await seed.call('POST', policies, {
    apiVersion,
    kind: 'MutatingAdmissionPolicy',
    metadata,
    spec: {
      matchConstraints: {
        namespaceSelector: { matchLabels: { changed: 'writes' } },
        resourceRules: [
          { apiGroups: ['apps'], apiVersions: ['v1'], operations: ['UPDATE'], resources: ['deployments'] },
        ],
      },
      failurePolicy: 'Fail',
      reinvocationPolicy: 'Never',
      mutations: [
        {
          patchType: 'ApplyConfiguration',
          applyConfiguration: { expression: `Object{spec: Object.spec{replicas: ${replicas}}}` },
        },
      ],
    },
  });
  await seed.call('POST', bindings, {
    apiVersion,
    kind: 'MutatingAdmissionPolicyBinding',
    metadata,
    spec: { policyName: policy },
  });
}

/** Writes what is due, on what stands there. */
function written(aim: 'down' | 'upAll', undone?: ResourceChange): Promise<WriteAnswer & { change: ResourceChange }> {
  return asUser({ reach: seed.reach, token: seed.token('admin') }, async (client) => {
    const scaler = kubeScaler({ client, clock: systemClock });
    const read = await scaler.read(shoot, ref, { urgent: false });
    if (read.outcome !== 'read' || !read.view.found) throw new Error(JSON.stringify(read));
    const change = dueChange(read.view, aim, true, undone)!;
    const never = new AbortController().signal;
    return { change, ...(await scaler.write(shoot, ref, read.view, change, { urgent: false, withdrawn: never })) };
  });
}

const viewOf = (answer: WriteAnswer) => ('view' in answer ? (answer.view as PresentResource) : undefined);

/** The API server learns of a policy by a watch of its own. A conflict is a status that was written meanwhile. */
async function until(outcome: WriteAnswer['outcome'], write: () => Promise<WriteAnswer>): Promise<WriteAnswer> {
  for (let tries = 0; tries < 100; tries++) {
    const answer = await write();
    if (answer.outcome === outcome) return answer;
    await pause(100);
  }
  throw new Error(`no write was ${outcome}`);
}

test('6.4 6.5 6.8 a policy of a real API server that changes the replicas of a write is seen in its answer, and no record is lost by it', async () => {
  await policed(2);
  // Until the policy is known, a write may take.
  const held = await until('undone', () => writtenAnew('down'));
  expect(viewOf(held)).toMatchObject({ replicas: 2, marked: true, record: '2' });

  await policed(undefined);
  const down = await until('written', () => written('down'));
  expect(viewOf(down)).toMatchObject({ replicas: 0, marked: true, record: '2' });

  await policed(0);
  const up = await until('undone', () => writtenAnew('upAll'));
  expect(viewOf(up)).toMatchObject({ replicas: 0, marked: true, record: '2' });

  await policed(undefined);
  const back = await until('written', () => written('upAll'));
  expect(viewOf(back)).toMatchObject({ replicas: 2, marked: true, record: '2' });
  const last = await until('written', () => written('upAll'));
  expect(viewOf(last)).toMatchObject({ replicas: 2, marked: false });
  expect(viewOf(last)).not.toHaveProperty('record');
});

/** As `written`; what has taken already, since the policy was not known yet, is put back first. */
async function writtenAnew(aim: 'down' | 'upAll'): Promise<WriteAnswer> {
  const path = `/apis/apps/v1/namespaces/${shoot}/deployments/${ref.name}`;
  const { body } = await seed.call('GET', path);
  const { replicas } = body['spec'] as { replicas: number };
  if ((replicas === 0) === (aim === 'down')) {
    await seed.call('PATCH', path, { spec: { replicas: aim === 'down' ? 2 : 0 } });
  }
  return written(aim);
}
