import type { ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RealApiServer } from './api-server.ts';
import type { Ground } from './ground.ts';
import { start } from './processes.ts';

/**
 * Starts a kube-controller-manager with some of its controllers, as the administrator; it ends with this process, or by
 * `end`. Its log bears the name.
 */
export function startControllerManager(
  { bin, directory }: Pick<Ground, 'bin' | 'directory'>,
  name: string,
  server: RealApiServer,
  controllers: readonly string[],
  flags: readonly string[] = [],
): ChildProcess {
  const kubeconfig = join(directory, `${name}.kubeconfig`);
  writeFileSync(kubeconfig, server.kubeconfig('admin'));
  return start(directory, name, join(bin, 'kube-controller-manager'), [
    `--kubeconfig=${kubeconfig}`,
    `--controllers=${controllers.join(',')}`,
    '--leader-elect=false',
    '--secure-port=0',
    ...flags,
  ]);
}
