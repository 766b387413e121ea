import { afterAll, expect, test } from 'vitest';
import { runValidate } from 'dependency-watchdog/commands/validate.ts';
import { heardIo } from '@dwd/testing/heard-io.ts';
import { weederUser } from '@dwd/testing/gardener-rbac.ts';
import { realSeed } from './real-tier.ts';
import { fileOf, RealPlainDependants } from './real-stage.ts';

const namespace = 'shoot--validate--one';
const service = 'validate-etcd';
const config = `
servicesAndDependantSelectors:
  ${service}:
    podSelectors:
    - matchLabels: {role: apiserver}
    - matchLabels: {role: gone}
`;

const seed = realSeed();

afterAll(() => seed.close());

async function against(user: string) {
  const { io, out, err } = heardIo();
  const files = [fileOf('weeder.yaml', config), fileOf('reader.kubeconfig', seed.kubeconfig(user))];
  const code = await runValidate([`--config-file=${files[0]}`, '--against-seed', `--kubeconfig=${files[1]}`], io);
  return { code, out: out.join('\n'), err: err.join('\n') };
}

test('7.8 under the grants of the weeder, a real API server tells what the selectors pick, and what none picks', async () => {
  const scene = new RealPlainDependants(seed, namespace);
  await scene.enter();
  await scene.slice(service, true);
  await scene.add('api', { role: 'apiserver' }, false);
  await scene.add('extension', { role: 'main' }, false);
  const { code, out, err } = await against(weederUser);
  expect([code, err]).toEqual([0, '']);
  expect(out.slice(out.indexOf(`  ${service}, `))).toBe(`  ${service}, in 1 namespace: its selectors pick 1 pod

Pods there that no selector picks, so that the weeder leaves them alone
  ReplicaSet of-extension, 1 pod in 1 namespace: ${namespace}

Pods of Jobs, mirror pods and pods that nothing controls are not counted: it never deletes them.

1 warning
  ${service}: the selector role=gone picks no pod where the service is (1 namespace); has a label
    changed?`);
});

test('7.8 a real API server’s refusal is told with what has to be granted', async () => {
  const { code, err } = await against('weak');
  expect(code).toBe(1);
  expect(err).toMatch(/endpointslices.* is forbidden: .*--against-seed lists the EndpointSlices and the pods/);
});
