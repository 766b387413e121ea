import { join } from 'node:path';
import { freePort, start } from './processes.ts';

/** Starts an etcd of its own, in memory as far as it can be; the URL of its clients. */
export async function startEtcd(bin: string, directory: string): Promise<string> {
  const [port, peer] = [await freePort(), await freePort()];
  const etcd = `http://127.0.0.1:${port}`;
  start(directory, 'etcd', join(bin, 'etcd'), [
    `--data-dir=${join(directory, 'etcd')}`,
    `--listen-client-urls=${etcd}`,
    `--advertise-client-urls=${etcd}`,
    `--listen-peer-urls=http://127.0.0.1:${peer}`,
    '--unsafe-no-fsync',
    '--log-level=error',
  ]);
  return etcd;
}
