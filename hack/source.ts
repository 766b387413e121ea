import { readFileSync, readdirSync } from 'node:fs';
import { join, sep } from 'node:path';
import { parseSync, visitorKeys, type Comment, type Node, type Program } from 'oxc-parser';

/** One TypeScript file, parsed. `path` is relative to the checkout, with forward slashes. */
export type Source = Readonly<{ path: string; text: string; program: Program; comments: readonly Comment[] }>;

/** Throws where the text is no TypeScript: a check that skipped such a file would pass on nothing. */
export function parseSource(path: string, text: string): Source {
  const { program, comments, errors } = parseSync(path, text, {
    lang: path.endsWith('.tsx') ? 'tsx' : 'ts',
    sourceType: 'module',
    preserveParens: false,
  });
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0]?.message}`);
  return { path, text, program, comments };
}

/** Every TypeScript file below `folder` of the checkout, sorted by path. No folder, no files. */
export function readSources(root: string, folder: string): readonly Source[] {
  let paths: string[];
  try {
    paths = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
  return paths
    .filter((path) => /\.tsx?$/.test(path) && !path.endsWith('.d.ts'))
    .map((path) => `${folder}/${path.split(sep).join('/')}`)
    .toSorted()
    .map((path) => parseSource(path, readFileSync(join(root, path), 'utf8')));
}

/** Whether the walk goes on below a node. */
export type Step = 'enter' | 'leave';

/** Visits each node before its children, as long as `visit` enters. */
export function walk(
  node: Node,
  visit: (node: Node, parents: readonly Node[]) => Step,
  parents: readonly Node[] = [],
): void {
  if (visit(node, parents) === 'leave') return;
  const below = [...parents, node];
  for (const key of visitorKeys[node.type] ?? []) {
    const child = (node as unknown as Record<string, Node | readonly (Node | null)[] | null | undefined>)[key];
    for (const each of Array.isArray(child) ? child : [child]) if (each) walk(each, visit, below);
  }
}

/** The line, counted from 1, on which `offset` lies. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}
