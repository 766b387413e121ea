import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';

export const programs = ['etcd', 'kube-apiserver', 'kube-controller-manager'] as const;

/** Those of the programs that a directory lacks. */
export function lacking(directory: string): readonly (typeof programs)[number][] {
  return programs.filter((program) => {
    try {
      accessSync(join(directory, program), constants.X_OK);
      return false;
    } catch {
      return true;
    }
  });
}
