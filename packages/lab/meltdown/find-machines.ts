import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { V1CustomResourceDefinition } from '@kubernetes/client-node';
import { parse } from 'yaml';
import { findProgram, pinnedModule, ProgramMissing } from '../programs/find-program.ts';
import type { MachinePrograms } from '../real/machine-controller-manager.ts';

/** What real machines of shoots need. Rejects with ProgramMissing. */
export async function findMachinePrograms(say: (line: string) => void): Promise<MachinePrograms> {
  const manager = await findProgram('machine-controller-manager', { say });
  const driver = await findProgram('machine-controller', { say });
  const module = await pinnedModule('machines', 'github.com/gardener/machine-controller-manager');
  const directory = join(module, 'kubernetes/crds');
  const definitions = readdirSync(directory).map(
    (file) => parse(readFileSync(join(directory, file), 'utf8')) as V1CustomResourceDefinition,
  );
  return { manager, driver, definitions };
}

/** Where the program of hollow kubelets is. Rejects with ProgramMissing. */
export async function findHollowKubelet(say: (line: string) => void): Promise<string> {
  if (process.platform !== 'linux')
    throw new ProgramMissing(`hollow kubelets need Linux, and this is ${process.platform}: take --kubelets=played`);
  return await findProgram('hollow-kubelet', { say });
}
