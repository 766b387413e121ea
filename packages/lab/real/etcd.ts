import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { request } from 'undici';
import { hasEnded, onFreePort, saidLast, start } from './processes.ts';

/** Starts an etcd that keeps as much as possible in memory. Resolves to its client URL once it is healthy. */
export function startEtcd(bin: string, directory: string): Promise<string> {
  return onFreePort(async (port) => {
    await startEtcdAt(bin, directory, port);
    return urlAt(port);
  });
}

/** Uses what an earlier etcd left in the directory, if anything. */
export async function startEtcdAt(bin: string, directory: string, port: number): Promise<ChildProcess> {
  const etcd = urlAt(port);
  const child = start(directory, 'etcd', join(bin, 'etcd'), [
    `--data-dir=${dataOf(directory)}`,
    `--listen-client-urls=${etcd}`,
    `--advertise-client-urls=${etcd}`,
    // It has no peers, and takes any free port.
    '--listen-peer-urls=http://127.0.0.1:0',
    '--unsafe-no-fsync',
    '--log-level=error',
  ]);
  for (let tries = 0; tries < 300 && !hasEnded(child); tries++) {
    if (await isHealthy(etcd)) return child;
    await pause(50);
  }
  throw new Error(`etcd did not get healthy; it said last:\n${saidLast(directory, 'etcd')}`);
}

export const dataOf = (directory: string): string => join(directory, 'etcd');
export const urlAt = (port: number): string => `http://127.0.0.1:${port}`;

async function isHealthy(etcd: string): Promise<boolean> {
  try {
    const { statusCode, body } = await request(`${etcd}/health`);
    await body.dump();
    return statusCode === 200;
  } catch {
    return false;
  }
}
