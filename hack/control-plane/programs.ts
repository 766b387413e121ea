import { accessSync, constants, statSync } from 'node:fs';
import { join } from 'node:path';

export const programs = ['etcd', 'kube-apiserver', 'kube-controller-manager'] as const;

/** Those of the programs that a directory lacks. */
export function lacking(directory: string): readonly (typeof programs)[number][] {
  return programs.filter((program) => {
    try {
      const path = join(directory, program);
      accessSync(path, constants.X_OK);
      return !statSync(path).isFile();
    } catch {
      return true;
    }
  });
}
