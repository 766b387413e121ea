import { readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import process from 'node:process';
import packageJson from '../package.json' with { type: 'json' };

/** Which program this is. */
export type Build = Readonly<{
  version: string;
  /** The whole hash; `unknown` where neither the build, the environment nor a checkout tells it. */
  commit: string;
  /** Without a `v`. */
  node: string;
}>;

/** What `npm run build` bakes into the bundle; the sources know neither. */
declare const bakedVersion: string;
declare const bakedCommit: string;

const ownRoot = new URL('../../', import.meta.url).pathname;

/** A bundle carries its commit, which while it is built, `DWD_COMMIT` may say; a checkout's own files say it, without running git. */
export function readBuild(env: NodeJS.ProcessEnv, root = ownRoot): Build {
  if (typeof bakedVersion === 'string')
    return { version: bakedVersion, commit: bakedCommit, node: process.versions.node };
  const stamped = env['DWD_COMMIT'] ?? '';
  const commit = isCommit(stamped) ? stamped : (commitOf(root) ?? 'unknown');
  return { version: packageJson.version, commit, node: process.versions.node };
}

/** How a shell calls this program from where it was started, if not by its name. */
export function calledAs(): string | undefined {
  if (typeof bakedVersion === 'string') return undefined;
  return `npx node ${relative(process.cwd(), join(ownRoot, 'src', 'main.ts'))}`;
}

/** `dependency-watchdog 0.1.0, commit 494d5d3…, Node 26.10.0`. */
export function buildWords({ version, commit, node }: Build): string {
  return `dependency-watchdog ${version}, commit ${commit}, Node ${node}`;
}

function commitOf(root: string): string | undefined {
  // Elsewhere a `.git` would be somebody else's.
  if (!textOf(join(root, 'src/package.json'))?.includes(`"name": "${packageJson.name}"`)) return undefined;
  const git = gitDirectory(root);
  const head = textOf(join(git, 'HEAD')) ?? '';
  if (isCommit(head)) return head;
  const ref = /^ref: (refs\/\S+)$/.exec(head)?.[1];
  if (ref === undefined) return undefined;

  // A worktree has its own HEAD, and shares the branches.
  const shared = resolve(git, textOf(join(git, 'commondir')) ?? '.');
  const loose = textOf(join(shared, ref)) ?? '';
  if (isCommit(loose)) return loose;
  const packed = (textOf(join(shared, 'packed-refs')) ?? '').split('\n').find((line) => line.endsWith(` ${ref}`));
  const [commit = ''] = packed?.split(' ') ?? [];
  return isCommit(commit) ? commit : undefined;
}

/** In a worktree `.git` is a file that names the directory. */
function gitDirectory(root: string): string {
  const path = join(root, '.git');
  const named = /^gitdir: (.+)$/.exec(textOf(path) ?? '')?.[1];
  return named === undefined ? path : resolve(dirname(path), named);
}

function isCommit(text: string): boolean {
  return /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(text);
}

/** Undefined where it cannot be read: whoever has no checkout has no such file. */
function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return undefined;
  }
}
