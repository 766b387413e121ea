/**
 * `npx node hack/complete-lock.ts` after `npm install`: gives package-lock.json an entry for each binary package of another platform that the
 * registry in use did not serve. npm leaves such a package out when it installs, and `npm ci` then refuses the lock as
 * incomplete. An entry written here says which platform it is for, so other platforms pass over it; it has no checksum.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

type Entry = Readonly<{ version?: string; dev?: boolean; optionalDependencies?: Readonly<Record<string, string>> }>;

const systems = ['android', 'darwin', 'freebsd', 'linux', 'openharmony', 'win32'];
const processors = ['arm', 'arm64', 'ia32', 'ppc64', 'riscv64', 's390x', 'x64'];

const path = join(import.meta.dirname, '../package-lock.json');
const lock = JSON.parse(readFileSync(path, 'utf8')) as { packages: Record<string, Entry> };
const added: Record<string, object> = {};

for (const [at, { dev, optionalDependencies = {} }] of Object.entries(lock.packages))
  for (const [name, version] of Object.entries(optionalDependencies)) {
    const platform = platformOf(name);
    const known = [`node_modules/${name}`, `${at}/node_modules/${name}`].some((place) => place in lock.packages);
    if (known || !platform || !/^\d+\.\d+\.\d+$/.test(version)) continue;
    added[`node_modules/${name}`] = { version, ...platform, ...(dev ? { dev } : {}), optional: true };
  }

const sorted = Object.entries({ ...lock.packages, ...added }).toSorted(([a], [b]) => a.localeCompare(b, 'en'));
writeFileSync(path, `${JSON.stringify({ ...lock, packages: Object.fromEntries(sorted) }, undefined, 2)}\n`);
process.stdout.write(`${Object.keys(added).length} packages of other platforms were added to the lock\n`);

/** `@oxlint/binding-linux-arm64-musl` says all of it in its name. */
function platformOf(name: string): Readonly<{ os: string[]; cpu: string[]; libc?: string[] }> | undefined {
  const words = name.split(/[/-]/);
  const os = words.find((word) => systems.includes(word));
  const cpu = words.find((word) => processors.includes(word));
  if (os === undefined || cpu === undefined) return undefined;
  if (os !== 'linux') return { os: [os], cpu: [cpu] };
  const libc = words.some((word) => word.startsWith('musl'))
    ? 'musl'
    : words.some((word) => word.startsWith('gnu'))
      ? 'glibc'
      : undefined;
  return { os: [os], cpu: [cpu], ...(libc === undefined ? {} : { libc: [libc] }) };
}
