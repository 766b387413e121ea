import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { wantedRelease } from '../control-plane/wanted-release.ts';

export const release = wantedRelease();

const architecture = process.arch === 'arm64' ? 'arm64' : 'amd64';
const kubernetes = `/${release.kubernetes}/bin/linux/${architecture}`;
const etcd = `/${release.etcd}`;
const tarball = `etcd-${release.etcd}-linux-${architecture}`;

/** What an archive answers on a path: a text, a code, or nothing, from the start or from the midst of the answer on. */
export type Page = string | Buffer | number | Readonly<{ hangs: 'at once' | 'midway' }>;

/** Where the archives have each program. */
export const places = {
  apiServer: `${kubernetes}/kube-apiserver`,
  apiServerSum: `${kubernetes}/kube-apiserver.sha256`,
  manager: `${kubernetes}/kube-controller-manager`,
  managerSum: `${kubernetes}/kube-controller-manager.sha256`,
  etcd: `${etcd}/${tarball}.tar.gz`,
  etcdSums: `${etcd}/SHA256SUMS`,
};

const sumOf = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex');

/** Everything as it should be; `scratch` is an empty directory to pack in. */
export function wholeArchive(scratch: string): Map<string, Page> {
  mkdirSync(join(scratch, tarball), { recursive: true });
  for (const name of ['etcd', 'etcdctl'])
    writeFileSync(join(scratch, tarball, name), `#!/bin/sh\necho ${name}\n`, { mode: 0o755 });
  spawnSync('tar', ['-czf', 'packed.tar.gz', tarball], { cwd: scratch });
  const packed = readFileSync(join(scratch, 'packed.tar.gz'));
  return new Map<string, Page>([
    [places.apiServer, 'the API server'],
    [places.apiServerSum, sumOf('the API server')],
    [places.manager, 'the controller-manager'],
    [places.managerSum, `${sumOf('the controller-manager')}\n`],
    [places.etcd, packed],
    [places.etcdSums, `${sumOf('other')}  etcd-other.tar.gz\n${sumOf(packed)}  ${tarball}.tar.gz\n`],
  ]);
}

/** Serves the pages on loopback; `asked` are the paths in their order. */
export async function serveArchive(pages: ReadonlyMap<string, Page>) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    asked.push(path);
    const page = pages.get(path) ?? 404;
    if (typeof page === 'object' && 'hangs' in page) {
      if (page.hangs === 'midway') response.writeHead(200, { 'content-length': 100 }).write('the beginn');
    } else if (typeof page === 'number') response.writeHead(page).end('no');
    else response.writeHead(200).end(page);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
