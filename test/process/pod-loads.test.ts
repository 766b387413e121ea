import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, type TestContext } from 'vitest';
import { stringify } from 'yaml';
import { issueCertificates } from '@dwd/simulator/api/certificates.ts';
import { Program } from '@dwd/testing/program.ts';

const dir = mkdtempSync(join(tmpdir(), 'dwd-loads-'));
afterAll(() => rmSync(dir, { recursive: true }));

const { ca } = await issueCertificates('pod');
writeFileSync(join(dir, 'ca.crt'), ca);
writeFileSync(join(dir, 'token'), 'pod-token');
const kubeconfig = join(dir, 'kubeconfig');
writeFileSync(
  kubeconfig,
  stringify({
    clusters: [{ name: 'seed', cluster: { server: 'https://seed' } }],
    users: [{ name: 'me', user: { token: 'my-token' } }],
    contexts: [{ name: 'here', context: { cluster: 'seed', user: 'me' } }],
    'current-context': 'here',
  }),
);

/** Prints each file of client-node that Node loads. */
const hook = join(dir, 'watch.mjs');
writeFileSync(
  hook,
  `import { registerHooks } from 'node:module';
registerHooks({
  load(url, context, next) {
    if (url.includes('/@kubernetes/client-node/')) process.stderr.write(url + '\\n');
    return next(url, context);
  },
});
`,
);

/** Loads both roles, and finds and reads the credentials as they do. Returns the token, and what was loaded of client-node. */
async function found(context: TestContext, flag: string | undefined) {
  const src = new URL('../../src/', import.meta.url);
  const env = { KUBERNETES_SERVICE_HOST: '10.0.0.1', KUBERNETES_SERVICE_PORT: '443' };
  const code = `
    await import(${JSON.stringify(new URL('commands/role/prober-role.ts', src))});
    await import(${JSON.stringify(new URL('commands/role/weeder-role.ts', src))});
    const { findCredentials } = await import(${JSON.stringify(new URL('adapters/credentials/find-credentials.ts', src))});
    const source = findCredentials(${JSON.stringify(flag)}, ${JSON.stringify(env)}, { serviceAccountDirectory: ${JSON.stringify(dir)} });
    process.stdout.write((await source.read(false)).headers.authorization);`;
  const start = ['--import', hook, '--input-type=module', '--eval', code];
  const { stdout, stderr } = await new Program(context, [], { start }).end();
  return { stdout, loaded: stderr };
}

test('1.2 a pod never loads client-node, which reads the kubeconfig of a person', async (context) => {
  expect(await found(context, undefined)).toEqual({ stdout: 'Bearer pod-token', loaded: '' });
  expect(await found(context, kubeconfig)).toEqual({
    stdout: 'Bearer my-token',
    loaded: expect.stringContaining('/@kubernetes/client-node/dist/config.js') as string,
  });
});
