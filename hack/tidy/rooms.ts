import type { Source } from '../source.ts';
import { importsOf, type Import } from './imports.ts';

type Room = Readonly<{
  /** Its files; those of `src` by the folder of its name. */
  at?: RegExp;
  /** Files that it may import from, itself apart. */
  values: readonly RegExp[];
  /** Files of which it may import types alone. */
  types: readonly RegExp[];
  /** Packages; `'any'` leaves them, and what Node brings, to the other checks. */
  packages: readonly string[] | 'any';
}>;

const domain = /^src\/domain\//;
const ports = [/^src\/effects\//, /^src\/machines\/(?:[^/]*-language|kinds|pure-machine)\.ts$/];

/** ARCHITECTURE.md explains the rooms. A new one needs a line there and one here. */
const rooms: Readonly<Record<string, Room>> = {
  domain: { values: [], types: [], packages: ['zod'] },
  machines: { values: [domain], types: [], packages: ['xstate'] },
  effects: { values: [domain, /^src\/machines\//], types: [], packages: ['rxjs', 'xstate'] },
  adapters: { values: [domain], types: ports, packages: 'any' },
  simulator: {
    at: /^packages\/simulator\/(?!commands\/|contract\/|test\/)/,
    values: [domain, /^src\/adapters\/clock\//],
    types: ports,
    packages: 'any',
  },
  inspector: {
    at: /^packages\/inspector\/(?!commands\/|test\/)/,
    values: [domain, /^src\/machines\//, /^src\/adapters\/(?:words|record|http|clock|reading)\//],
    types: [/^src\/effects\//, /^src\/adapters\//],
    packages: 'any',
  },
  commands: {
    values: [domain, /^src\/(?:machines|effects|adapters)\//, /^src\/package\.json$/, /^packages\//],
    types: [],
    packages: 'any',
  },
};

/** The folders of a room that has some, lowest first: each may import from those before it, and what lies in none of them from all. */
const floors: Readonly<Record<string, readonly string[]>> = {
  adapters:
    'words clock config kube credentials reading election seed-client reflector seed-watch weeder-seed shoot seed'.split(
      ' ',
    ),
  simulator: ['store', 'api', 'workloads', 'shoot'],
  // What it says and how that goes over the wire is known to both of the others, which know nothing of each other.
  inspector: ['journal', 'episodes', 'model', 'wire', 'page', 'serve'],
};

const main: Room = { values: [/^src\/commands\//], types: [], packages: 'any' };

/** The names of the rooms, so that a check can see whether it found files in each. */
export const roomNames: readonly string[] = Object.keys(rooms);

/** `src/domain/time.ts` is in `domain`, `packages/inspector/wire/wire.ts` in `inspector`; undefined for what lies in no room. */
export function roomOf(path: string): string | undefined {
  const guest = Object.keys(rooms).find((name) => rooms[name]?.at?.test(path));
  return guest ?? /^src\/([^/]+)\//.exec(path)?.[1];
}

/** Imports that point the wrong way, one line each: `src/domain/x.ts:3 …`. */
export function wrongImports(source: Source): readonly string[] {
  const name = roomOf(source.path);
  const room = name === undefined ? (source.path === 'src/main.ts' ? main : undefined) : rooms[name];
  if (!room) return [`${source.path} is in no known room: ARCHITECTURE.md and hack/tidy/rooms.ts name them`];
  return importsOf(source)
    .filter((each) => !allowed(room, source.path, each))
    .map(({ line, specifier, typeOnly }) => {
      const what = typeOnly ? 'a type from' : '';
      return `${source.path}:${line} ${name ?? 'main'} may not import ${what} '${specifier}'`.replaceAll('  ', ' ');
    });
}

/** Folders that look in one direction only: what lies in the first imports nothing from the second. */
const oneWay: readonly Readonly<{ from: RegExp; notTo: RegExp }>[] = [
  { from: /\/simulate\/story\//, notTo: /\/commands\/(?:simulate\.ts|simulate\/[^/]+-outage\/)/ },
  { from: /\/simulate\/network-outage\//, notTo: /\/commands\/(?:simulate\.ts|simulate\/etcd-outage\/)/ },
  { from: /\/simulate\/etcd-outage\//, notTo: /\/commands\/(?:simulate\.ts|simulate\/network-outage\/)/ },
  { from: /^packages\/inspector\/serve\//, notTo: /^packages\/inspector\/page\// },
  // What happened, then how it is said; whoever says it chooses among both.
  { from: /^src\/adapters\/record\/facts\//, notTo: /^src\/adapters\/record\/(?!facts\/)/ },
  { from: /^src\/adapters\/record\/words\//, notTo: /^src\/adapters\/record\/(?!facts\/|words\/)/ },
  // What the watchdog loads of its guests stands in one list; no guest but the lab knows the others, apart from its tests.
  { from: /^src\/(?!commands\/guests\.ts)/, notTo: /^packages\// },
  { from: /^packages\/simulator\/(?!contract\/|test\/)/, notTo: /^packages\/(?!simulator\/)/ },
  { from: /^packages\/inspector\/(?!test\/)/, notTo: /^packages\/(?!inspector\/)/ },
  { from: /^packages\/testing\//, notTo: /^packages\/lab\// },
  { from: /^packages\//, notTo: /^test\// },
  { from: /^packages\/lab\/(?!bench\/|soak\/|test\/)/, notTo: /^packages\/lab\/(?:bench|test)\// },
  { from: /^packages\/lab\/real\//, notTo: /^packages\/lab\/(?!real\/)/ },
  { from: /^(?:hack|test)\//, notTo: /^packages\/lab\/bench\// },
  { from: /^hack\//, notTo: /^test\// },
];

/** Imports that go back up, or across, between folders of which one builds on the other. */
export function backwardImports(source: Source): readonly string[] {
  const barred = oneWay.filter(({ from }) => from.test(source.path)).map(({ notTo }) => notTo);
  if (barred.length === 0) return [];
  return importsOf(source)
    .filter(({ target }) => barred.some((each) => each.test(target)))
    .map(({ line, specifier }) => `${source.path}:${line} may not import '${specifier}'`);
}

function allowed(room: Room, path: string, { specifier, target, typeOnly }: Import): boolean {
  if (target === specifier) return room.packages === 'any' || room.packages.includes(packageOf(specifier));
  const name = roomOf(path);
  if (name !== undefined && roomOf(target) === name) return floorOf(name, target) <= floorOf(name, path);
  return [...room.values, ...(typeOnly ? room.types : [])].some((each) => each.test(target));
}

function floorOf(room: string, path: string): number {
  const all = floors[room] ?? [];
  const floor = all.indexOf(path.split('/')[2] ?? '');
  return floor === -1 ? all.length : floor;
}

/** `xstate/graph` is of `xstate`, `@scope/name/part` of `@scope/name`. */
function packageOf(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}
