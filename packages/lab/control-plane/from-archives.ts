import { createHash } from 'node:crypto';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { download, type Patience } from './download.ts';
import { runProgram } from './run-program.ts';
import type { WantedRelease } from './wanted-release.ts';

/** Where the projects publish their programs. A mirror may be named instead. */
export type Archives = Readonly<{ kubernetes: string; etcd: string }>;

export function archivesOf(env: NodeJS.ProcessEnv): Archives {
  return {
    kubernetes: env['KUBERNETES_ARCHIVE'] || 'https://dl.k8s.io',
    etcd: env['ETCD_ARCHIVE'] || 'https://github.com/etcd-io/etcd/releases/download',
  };
}

/** Short, so that an unreachable server is noticed soon. */
const usualPatience: Patience = { answer: 5_000, more: 30_000 };

const architectures: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };

/** Fetches the published programs into a directory, each checked against its published SHA-256. Rejects where it cannot. */
export async function fetchFromArchives(
  { kubernetes, etcd }: WantedRelease,
  archives: Archives,
  directory: string,
  patience: Patience = usualPatience,
): Promise<void> {
  const text = async (url: string) => (await download(url, patience)).toString();
  const place = async (path: string, url: string, sum: string) => {
    const bytes = await download(url, patience);
    const wanted = sum.trim().split(/\s+/)[0];
    const found = createHash('sha256').update(bytes).digest('hex');
    if (found !== wanted) throw new Error(`${url} has the SHA-256 ${found}, and ${wanted} was published`);
    writeFileSync(path, bytes, { mode: 0o755 });
  };
  const architecture = architectures[process.arch];
  if (process.platform !== 'linux' || architecture === undefined)
    throw new Error(`the archives have no kube-apiserver for ${process.platform} ${process.arch}`);
  const binaries = `${archives.kubernetes}/${kubernetes}/bin/linux/${architecture}`;
  const tarball = `etcd-${etcd}-linux-${architecture}.tar.gz`;

  // This file is small. It shows whether the archive can be reached at all.
  const apiServerSum = await text(`${binaries}/kube-apiserver.sha256`);
  await place(join(directory, 'kube-apiserver'), `${binaries}/kube-apiserver`, apiServerSum);
  const managerSum = await text(`${binaries}/kube-controller-manager.sha256`);
  await place(join(directory, 'kube-controller-manager'), `${binaries}/kube-controller-manager`, managerSum);

  const sums = await text(`${archives.etcd}/${etcd}/SHA256SUMS`);
  const sum = sums.split('\n').find((line) => line.trim().endsWith(tarball));
  if (sum === undefined) throw new Error(`${tarball} is not among etcd's published sums`);
  const unpacked = mkdtempSync(join(directory, '.etcd-'));
  try {
    await place(join(unpacked, tarball), `${archives.etcd}/${etcd}/${tarball}`, sum);
    await runProgram('tar', ['-xzf', tarball, '--strip-components=1'], { cwd: unpacked });
    renameSync(join(unpacked, 'etcd'), join(directory, 'etcd'));
  } finally {
    rmSync(unpacked, { recursive: true, force: true });
  }
}
