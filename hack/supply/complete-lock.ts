import { type Lock, type Locked } from './lock.ts';

const systems = ['android', 'darwin', 'freebsd', 'linux', 'openharmony', 'win32'];
const processors = ['arm', 'arm64', 'ia32', 'ppc64', 'riscv64', 's390x', 'x64'];

/**
 * The lock as `npm ci` takes it on every platform, without a false warning.
 *
 * It gets an entry for each binary package of another platform that the registry in use did not serve. npm leaves such a package out when
 * it installs, and `npm ci` then refuses the lock as incomplete. An entry written here says which platform it is for, so
 * other platforms pass over it; it has no checksum.
 *
 * It loses `engines`, which npm holds against the Node that runs npm: it would warn of packages that run under the Node
 * that this lock brings. And it loses the bin `node` of the platforms' Nodes, for which `hack/node` stands.
 */
export function completeLock(lock: Lock): Lock {
  const packages = Object.entries({ ...lock.packages, ...unserved(lock) })
    .toSorted(([a], [b]) => a.localeCompare(b, 'en'))
    .map(([at, locked]) => [at, at.startsWith('node_modules/') ? withoutFalseClaims(locked) : locked] as const);
  return { ...lock, packages: Object.fromEntries(packages) };
}

function withoutFalseClaims(locked: Locked): Locked {
  const entries = Object.entries(locked).filter(([key]) => key !== 'engines' && !(key === 'bin' && bringsNode(locked)));
  return Object.fromEntries(entries);
}

function bringsNode({ bin = {} }: Locked): boolean {
  return 'node' in bin;
}

function unserved({ packages }: Lock): Record<string, Locked> {
  const added: Record<string, Locked> = {};
  for (const [at, { dev, optionalDependencies = {} }] of Object.entries(packages))
    for (const [name, version] of Object.entries(optionalDependencies)) {
      const platform = platformOf(name);
      const known = [`node_modules/${name}`, `${at}/node_modules/${name}`].some((place) => place in packages);
      if (known || !platform || !/^\d+\.\d+\.\d+$/.test(version)) continue;
      const { os, cpu, libc } = platform;
      // In npm's order, so that it has nothing to write anew the next time.
      added[`node_modules/${name}`] = {
        version,
        cpu: [cpu],
        ...(dev ? { dev } : {}),
        ...(libc === undefined ? {} : { libc: [libc] }),
        optional: true,
        os: [os],
      };
    }
  return added;
}

/** `@oxlint/binding-linux-arm64-musl` says all of it in its name. */
function platformOf(name: string): Readonly<{ os: string; cpu: string; libc: string | undefined }> | undefined {
  const words = name.split(/[/-]/);
  const os = words.find((word) => systems.includes(word));
  const cpu = words.find((word) => processors.includes(word));
  if (os === undefined || cpu === undefined) return undefined;
  return { os, cpu, libc: os === 'linux' ? libcOf(words) : undefined };
}

function libcOf(words: readonly string[]): string | undefined {
  if (words.some((word) => word.startsWith('musl'))) return 'musl';
  return words.some((word) => word.startsWith('gnu')) ? 'glibc' : undefined;
}
