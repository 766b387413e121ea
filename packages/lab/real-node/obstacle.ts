import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { treesOf } from './cgroups.ts';

/** Why a real node cannot be run on this machine, or undefined where it can. That its programs can be had is another question. */
export function obstacleToNode(): string | undefined {
  if (process.platform !== 'linux') return 'this is not Linux';
  if (process.getuid?.() !== 0) return 'we are not root';
  if (treesOf(readFileSync('/proc/mounts', 'utf8')) === undefined) return 'no control groups limit memory here';
  const words = ['--net', '--mount', '--uts', '--ipc', '--pid', '--fork', '--mount-proc', '--kill-child', 'true'];
  const { status, error, stderr } = spawnSync('unshare', words, { encoding: 'utf8', timeout: 10_000 });
  if (status !== 0) return `namespaces cannot be had: ${error?.message ?? stderr.trim()}`;
  const PATH = `${process.env['PATH']}:/usr/sbin`;
  const missing = ['runc', 'ip'].filter((name) => spawnSync(name, ['-V'], { env: { PATH } }).error !== undefined);
  return missing.length === 0
    ? undefined
    : `${missing.join(' and ')} cannot be run: npm run control-plane -- ${missing.join(' ')} --install`;
}
