import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, type TestContext } from 'vitest';
import { kubeconfigProvider } from '../kind/providers/kubeconfig.ts';
import { clusterServer } from './cluster-server.ts';

function fileWith({ onTestFinished }: TestContext, text: string): string {
  const directory = mkdtempSync(join(tmpdir(), 'dwd-kubeconfig-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const file = join(directory, 'config');
  writeFileSync(file, text);
  return file;
}

const start = (env: NodeJS.ProcessEnv) => kubeconfigProvider(env).start('', () => undefined);

test('the cluster of KUBECONFIG is seed and shoot; it is read from, not written to', async (context) => {
  const server = await clusterServer(context);
  const file = fileWith(context, server.kubeconfig);
  expect(await start({ KUBECONFIG: file })).toEqual({
    seed: file,
    shoots: [file],
    runsControllers: true,
    account: 'Kubernetes v1.99.0',
  });
  expect(server.asked).toEqual(['GET /version', 'POST /apis/authorization.k8s.io/v1/selfsubjectaccessreviews']);
});

test('there is no default: without KUBECONFIG nothing is taken', async () => {
  await expect(start({})).rejects.toThrow('takes its cluster from KUBECONFIG, which is not set');
  await expect(start({ KUBECONFIG: '' })).rejects.toThrow('which is not set');
});

test('who is no administrator is refused', async (context) => {
  const server = await clusterServer(context, { isAdministrator: false });
  const file = fileWith(context, server.kubeconfig);
  await expect(start({ KUBECONFIG: file })).rejects.toThrow(`The scenarios need an administrator of ${server.url}`);
});

test('a cluster that does not know us, or cannot be reached, is named', async (context) => {
  const server = await clusterServer(context);
  const stranger = fileWith(context, server.kubeconfig.replace('token: admin', 'token: nobody'));
  await expect(start({ KUBECONFIG: stranger })).rejects.toThrow(`The cluster ${server.url} gives no answer`);
  const nobodyHome = fileWith(context, server.kubeconfig.replace(/127\.0\.0\.1:\d+/, '127.0.0.1:1'));
  await expect(start({ KUBECONFIG: nobodyHome })).rejects.toThrow('The cluster https://127.0.0.1:1 gives no answer');
});
