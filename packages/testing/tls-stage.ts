import { writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { TlsForm } from './tls-forms.ts';
import { kubeconfigFor, leaseList } from './shoot-stage.ts';

/** A server of this form that answers `/version` and leases, and a kubeconfig that leads to it. */
export async function servingAs(
  form: TlsForm,
  directory: string,
): Promise<AsyncDisposable & Readonly<{ file: string; text: string }>> {
  const server = createServer(form.serves, ({ url = '' }, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(url.startsWith('/version') ? { major: '1', minor: '36' } : leaseList(['a'])));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const text = kubeconfigFor({ url: `https://127.0.0.1:${port}`, ca: form.ca });
  const file = join(directory, `${port}.yaml`);
  writeFileSync(file, text, { mode: 0o600 });
  return {
    file,
    text,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
